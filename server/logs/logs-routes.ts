/** `POST /logs` (contract §11, schema §8.6), and trying a log backend before anybody relies on it. */
import type { FastifyInstance } from 'fastify';
import { logsRequestSchema, logTestSchema } from '../../src/contract/logs/logs.ts';
import { may } from '../../src/domain/access/matrix.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import { parse } from '../platform/http/parse.ts';
import type { LogService } from './log-service.ts';

/** Live tails ask each second; each question goes to other people's services. */
const READS_PER_MINUTE = 600;
const TESTS_PER_MINUTE = 60;

const perMinute = (max: number) => ({ config: { rateLimit: { max, timeWindow: '1 minute' } } });

/** `/api/logs`, `/api/logs/test`. */
export function registerLogsRoutes(
  app: FastifyInstance,
  context: RouteContext<{ logs: LogService }>,
  expressions: Pick<Expressions, 'evaluate'>,
): void {
  app.post('/api/logs', perMinute(READS_PER_MINUTE), async (request) => {
    authorize(await context.authenticate(request), 'logs', 'read');
    const asked = parse(logsRequestSchema, request.body ?? {});
    const db = context.callerDatabase(request);
    return context.backend().logs.read(asked, { db, expressions, signal: context.closed(request) });
  });

  app.post('/api/logs/test', perMinute(TESTS_PER_MINUTE), async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'logs', 'update');
    const asked = parse(logTestSchema, request.body ?? {});
    const author = may(principal.roles, 'connections', 'write') ? 'granter' : 'user';
    const tested = 'spec' in asked ? { ...asked, author: author as 'granter' | 'user' } : asked;
    return { message: await context.backend().logs.test(tested, context.closed(request)) };
  });
}
