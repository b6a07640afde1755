/**
 * Shared tablets (docs/decisions/0057): who makes one, which there are, and the sessions that people open on them. A
 * session on a tablet gets a token of its own in a cookie that the page can read, because the page has to lock it away
 * without a network; sessions elsewhere never do.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { shareTabletSchema } from '../../src/contract/http/tablets.ts';
import {
  clearSession,
  clearTablet,
  sessionTokenOf,
  setTablet,
  setTabletSession,
  tabletTokenOf,
} from '../access/identity/routes/cookies.ts';
import type { Sessions } from '../access/identity/sessions/sessions.ts';
import { isWall } from '../access/identity/sessions/principal.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import { hashToken, TOKEN_BYTES } from '../platform/crypto/secrets.ts';
import type { Database, Queryable } from '../platform/db/database.ts';
import { parse } from '../platform/http/parse.ts';
import { endTablet, findTabletOf, findTablets, insertTablet } from './tablet-query.ts';

type TabletContext = RouteContext<{
  db: Database;
  sessions: Pick<Sessions, 'bindTablet' | 'close'>;
}>;

const PER_MINUTE = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } };
const idSchema = z.object({ id: z.guid() });
const markOf = (token: string) => hashToken('shared-tablet', token);

function registerHere(app: FastifyInstance, context: TabletContext): void {
  const nowAt = () => new Date(context.platform.now());
  const here = async (tx: Queryable, request: FastifyRequest) => {
    const token = tabletTokenOf(request);
    return token === null ? null : findTabletOf(tx, markOf(token), nowAt());
  };

  // Asked by whoever stands before it: the answer is the name that its makers gave it.
  app.get('/api/tablets/here', PER_MINUTE, async (request, reply) => {
    const tablet = await here(context.backend().db, request);
    if (tablet === null && tabletTokenOf(request) !== null) clearTablet(request, reply);
    return { tablet };
  });

  // Whoever stands before it may end the session that the browser has: the next person must not get into it.
  app.post('/api/tablets/here/leave', PER_MINUTE, async (request, reply) => {
    const token = sessionTokenOf(request);
    if (token !== null) await context.backend().sessions.close(token);
    clearSession(request, reply);
    return reply.code(204).send();
  });

  app.post('/api/tablets/here/session', PER_MINUTE, async (request, reply) => {
    const principal = await context.authenticate(request);
    const { sessionId } = principal;
    if (sessionId === null || isWall(principal))
      throw new AppError('forbidden', 'Only a signed-in person has a session to bind to a tablet');
    const { db, sessions } = context.backend();
    const token = await db.transaction(async (tx) => {
      const tablet = await here(tx, request);
      if (tablet === null) throw new AppError('not_found', 'This browser is no shared tablet');
      return sessions.bindTablet(tx, { sessionId, tabletId: tablet.id });
    });
    setTabletSession(request, reply, token);
    return reply.code(204).send();
  });
}

/** `/api/tablets`, `/api/tablets/here`. */
export function registerTabletRoutes(app: FastifyInstance, context: TabletContext): void {
  const { platform } = context;
  registerHere(app, context);

  app.get('/api/tablets', async (request) => {
    authorize(await context.authenticate(request), 'people', 'create');
    return findTablets(context.backend().db, new Date(platform.now()));
  });

  // Whoever lets people in decides where their sessions may be handed over.
  app.post('/api/tablets', PER_MINUTE, async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'people', 'create');
    const { name } = parse(shareTabletSchema, request.body ?? {});
    const [id, token] = [platform.newId(), platform.secret(TOKEN_BYTES)];
    const tablet = { id, name, tokenMark: markOf(token), madeBy: principal.personId };
    await insertTablet(context.backend().db, { ...tablet, nowAt: new Date(platform.now()) });
    setTablet(request, reply, token);
    return { id };
  });

  app.delete('/api/tablets/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'people', 'delete');
    const { id } = parse(idSchema, request.params);
    const nowAt = new Date(platform.now());
    const ended = await context.backend().db.transaction((tx) => endTablet(tx, id, nowAt));
    if (ended === 0) throw new AppError('not_found', 'There is no such tablet');
    return reply.code(204).send();
  });
}
