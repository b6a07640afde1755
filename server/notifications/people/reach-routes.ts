/** How people are reached: everybody sets and sees their own; who leads a team sees whether its members can be. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { reachSettingsSchema, type Reach } from '../../../src/contract/http/reach.ts';
import { isLeadOf, type ReachFacts } from '../../../src/domain/notification/reach.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { parse } from '../../platform/http/parse.ts';
import type { PushService } from '../push/push-service.ts';
import { devicesOf, reachFacts, saveReach, teamsWithMembers, type PersonReach } from './reach-query.ts';
import { settingsOf } from './reach-row.ts';

const config = { rateLimit: { max: 60, timeWindow: '1 minute' } };
const deviceParams = z.object({ id: z.guid() });

const testOf = (row: { test_at: string | null; is_shown: boolean | null }) =>
  row.test_at === null ? null : { at: row.test_at, isShown: row.is_shown === true };

const factsOf = (row: PersonReach, hasMail: boolean): ReachFacts => ({
  devices: row.devices,
  seenAt: row.seen_at,
  test: testOf(row),
  settings: settingsOf(row.reach),
  hasAddress: row.has_address,
  hasMail,
});

async function ledBy(db: Queryable, { personId, roles }: Principal) {
  const teams = await teamsWithMembers(db);
  return teams.filter(({ created_by: createdBy, members }) =>
    isLeadOf({ createdBy, memberIds: members }, personId, roles),
  );
}

async function reachFor(db: Queryable, principal: Principal, hasMail: boolean): Promise<Reach> {
  const { personId } = principal;
  const teams = await ledBy(db, principal);
  const people = await reachFacts(db, [personId, ...teams.flatMap(({ members }) => members)]);
  const own = people.find(({ id }) => id === personId);
  if (own === undefined) throw new AppError('not_found', 'person not found');
  return {
    own: factsOf(own, hasMail),
    devices: (await devicesOf(db, personId)).map((row) => ({
      id: row.id,
      name: row.device,
      seenAt: row.seen_at,
      test: testOf(row),
    })),
    teams: teams.map(({ id, name, members }) => ({
      id,
      name,
      people: people
        .filter((person) => members.includes(person.id))
        .map((person) => ({ id: person.id, name: person.name, facts: factsOf(person, hasMail) })),
    })),
  };
}

/** `/api/notifications/reach`. */
export function registerReachRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database; push: PushService; hasMail: boolean }>,
): void {
  app.get('/api/notifications/reach', async (request) => {
    const principal = await context.authenticate(request);
    const { db, hasMail } = context.backend();
    return reachFor(db, principal, hasMail);
  });
  app.post('/api/notifications/reach/settings', { config }, async (request, reply) => {
    const { personId } = await context.authenticate(request);
    await saveReach(context.backend().db, personId, parse(reachSettingsSchema, request.body));
    return reply.code(204).send();
  });
  app.post('/api/notifications/reach/devices/:id/test', { config }, async (request) => {
    const principal = await context.authenticate(request);
    const { id } = parse(deviceParams, request.params);
    return context.backend().push.test(principal, { subscriptionId: id });
  });
}
