/** `POST /connection/test/{id}`: contacts the service with what the connection says (contract §10, schema §8.4). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { createRedactor } from '../platform/crypto/redact.ts';
import { findConnection } from './connection-query.ts';
import type { ConnectionRow } from './connection-query.ts';
import { TEST_TIMEOUT_MS } from './connection-test.ts';
import type { ConnectionTest, TestContext } from './connection-test.ts';
import { redactConnection } from './connection-values.ts';
import type { ConnectionValues } from './connection-values.ts';
import { HTTP_TESTS } from './http-tests.ts';
import { OTHER_TESTS } from './other-tests.ts';
import { failureSentence } from './failure-sentence.ts';
import { createSecretScope } from './secret-scope.ts';
import type { OpenConnection } from './secret-scope.ts';
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

/** Tests that other areas have clients for. */
export interface OutsideTests {
  /** By the client of checks; null for a type that none reaches. */
  testByCheck: (
    type: string,
  ) =>
    | ((
        connection: OpenConnection,
        call: TestContext & { platform: RouteContext['platform'] },
      ) => Promise<void>)
    | null;
  isNotificationType: (type: string) => boolean;
  /** By a message. */
  testService: (
    connection: OpenConnection,
    call: TestContext & { key: string; now: () => number },
  ) => Promise<void>;
}

/** Each one calls somebody else's service. */
const TESTS_PER_MINUTE = 60;

/** `/api/connection/test/:id`. */
export function registerConnectionRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database; outside: OutsideParts }>,
  others: OutsideTests,
): void {
  const { platform } = context;
  const testOf = (type: string): ConnectionTest | undefined => {
    const test = TESTS.get(type);
    if (test !== undefined) return test;
    const byCheck = others.testByCheck(type);
    if (byCheck !== null) return (values, call) => byCheck({ ...values, type }, { ...call, platform });
    if (!others.isNotificationType(type)) return undefined;
    return (values, call) =>
      others.testService({ ...values, type }, { ...call, key: platform.newId(), now: () => platform.now() });
  };

  /** Why the service can't be used, without what is secret; null when it can. The values go where a check's would. */
  const failureOf = async (test: ConnectionTest, row: ConnectionRow): Promise<string | null> => {
    const { guard, secret: mounted } = context.backend().outside;
    const redactor = createRedactor();
    const findConnection = () => Promise.resolve(row);
    const scope = createSecretScope({ author: 'granter', findConnection, mounted, guard, redactor });
    let values: ConnectionValues | null = null;
    try {
      values = await scope.connection(row.type);
      if (values === null) return null;
      await test(values, { guard: scope.guard, signal: AbortSignal.timeout(TEST_TIMEOUT_MS) });
      return null;
    } catch (error) {
      const told = redactor.text(failureSentence(error));
      return values === null ? told : redactConnection(told, values);
    }
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
    const failure = await failureOf(test, connection);
    if (failure !== null) throw new AppError('invalid', failure);
    return { message: 'ok' };
  });
}
