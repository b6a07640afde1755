/**
 * Calls of the contract whose engines this version has not. They authorise, so that callers get the same
 * refusals as later, and then say plainly what is missing.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessObject, ObjectAction } from '../../src/domain/access/objects.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { MESSAGES } from '../agents/messages.ts';
import { answerNotImplemented } from '../platform/http/not-implemented.ts';
import type { AppContext } from './backend.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Calls that are authorised and then answered with what this version has not. */
export function registerAbsentEngines(app: FastifyInstance, context: AppContext): void {
  async function allow(request: FastifyRequest, object: AccessObject, action: ObjectAction): Promise<void> {
    authorize(await context.authenticate(request), object, action);
  }

  // The caller's token is the check's own; without such checks there is nothing to compare it with.
  app.post('/api/canary/webhook/*', (_request, reply) =>
    answerNotImplemented(reply, 'This version has no webhook checks yet.'),
  );

  // What agents call and is not in agents/upstream.
  app.route({
    method: METHODS,
    url: '/api/upstream/*',
    handler: async (request, reply) => {
      await allow(request, 'agent-push', 'update');
      return answerNotImplemented(reply, MESSAGES.notOffered);
    },
  });

  app.post('/api/push/topology', async (request, reply) => {
    await allow(request, 'topology', 'update');
    return answerNotImplemented(reply, 'This version takes no pushed topologies yet.');
  });
}
