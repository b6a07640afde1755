/** Which agent calls: it signs in with its token, and has that of a living agent. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { MESSAGES } from '../messages.ts';
import { findAgentOf } from './agent-query.ts';
import type { KnownAgent } from './agent-query.ts';

/** Throws where the caller is no agent. */
export async function agentOf(
  context: RouteContext<{ db: Database }>,
  request: FastifyRequest,
): Promise<KnownAgent> {
  const principal = await context.authenticate(request);
  authorize(principal, 'agent-push', 'update');
  const agent = await findAgentOf(context.backend().db, principal.personId);
  if (agent === null) throw new AppError('forbidden', MESSAGES.noAgent);
  return agent;
}
