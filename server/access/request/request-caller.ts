/**
 * Whose request it is, and whether somebody still waits for the answer: what the database is told of each request.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database, Transactions } from '../../platform/db/database.ts';
import type { RequestSteps } from './route-context.ts';

/** Remembers of each request who made it and whether it was closed. */
export function followRequests(
  app: FastifyInstance,
  authenticate: RequestSteps['authenticate'],
  database: () => Database,
): RequestSteps {
  const closes = new WeakMap<FastifyRequest, AbortController>();
  const callers = new WeakMap<FastifyRequest, string>();
  app.addHook('onRequest', async (request, reply) => {
    const controller = new AbortController();
    closes.set(request, controller);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  });
  const closed = (request: FastifyRequest) => (closes.get(request) ?? new AbortController()).signal;
  return {
    async authenticate(request) {
      const principal = await authenticate(request);
      callers.set(request, principal.personId);
      return principal;
    },
    closed,
    callerDatabase: (request): Transactions =>
      database().asCaller({ id: callers.get(request) ?? request.ip, signal: closed(request) }),
  };
}
