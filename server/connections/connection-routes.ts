/** `POST /connection/test/{id}`: contacts the service with what the connection says (contract §10, schema §8.4). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { findConnection } from './connection-query.ts';
import { TEST_TIMEOUT_MS } from './connection-test.ts';
import type { ConnectionTest } from './connection-test.ts';
import { redactConnection, resolveConnection } from './connection-values.ts';
import type { ConnectionValues } from './connection-values.ts';
import { HTTP_TESTS } from './http-tests.ts';
import { OTHER_TESTS } from './other-tests.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { answerNotImplemented } from '../platform/http/not-implemented.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import type { Database } from '../platform/db/database.ts';
import type { SecretReader } from './connection-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';

/** What calls to other people's services pass, and the values that they sign in with. */
interface OutsideParts {
  guard: EgressGuard;
  secret: SecretReader;
  sealer: Opener;
}

const TESTS: ReadonlyMap<string, ConnectionTest> = new Map([
  ...Object.entries(HTTP_TESTS),
  ...Object.entries(OTHER_TESTS),
]);
const paramsSchema = z.object({ id: z.guid() });

/** How connections to services that take notifications are tried: by a message. */
export interface NotificationTest {
  isNotificationType: (type: string) => boolean;
  testService: (
    connection: ConnectionValues & { type: string },
    call: { guard: EgressGuard; signal: AbortSignal; key: string; now: () => number },
  ) => Promise<void>;
}

/** Each one calls somebody else's service. */
const TESTS_PER_MINUTE = 60;

/** Why the service can't be used, without what is secret; null when it can. */
async function failureOf(
  test: ConnectionTest,
  values: ConnectionValues,
  guard: EgressGuard,
): Promise<string | null> {
  try {
    await test(values, { guard, signal: AbortSignal.timeout(TEST_TIMEOUT_MS) });
    return null;
  } catch (error) {
    return redactConnection(reasonOf(error), values);
  }
}

/** `/api/connection/test/:id`. */
export function registerConnectionRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database; outside: OutsideParts }>,
  notifications: NotificationTest,
): void {
  const testOf = (type: string): ConnectionTest | undefined => {
    const test = TESTS.get(type);
    if (test !== undefined || !notifications.isNotificationType(type)) return test;
    const { platform } = context;
    return (values, call) => {
      const sent = { ...call, key: platform.newId(), now: () => platform.now() };
      return notifications.testService({ ...values, type }, sent);
    };
  };
  const config = { rateLimit: { max: TESTS_PER_MINUTE, timeWindow: '1 minute' } };

  app.post('/api/connection/test/:id', { config }, async (request, reply) => {
    authorize(await context.authenticate(request), 'connection', 'update');
    const params = paramsSchema.safeParse(request.params);
    const { db, outside } = context.backend();
    const connection = params.success ? await findConnection(db, outside.sealer, params.data.id) : null;
    if (connection === null) throw new AppError('not_found', 'connection not found');
    const test = testOf(connection.type);
    if (test === undefined) {
      return answerNotImplemented(
        reply,
        `Connections of type ${connection.type} cannot be tested by this server`,
      );
    }
    const values = await resolveConnection(connection, outside.secret);
    const failure = await failureOf(test, values, outside.guard);
    if (failure !== null) throw new AppError('invalid', failure);
    return { message: 'ok' };
  });
}
