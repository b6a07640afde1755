/** The signed-in person's own access tokens: which there are, and ending one. Their values are never told again. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { isInApp } from '../sessions/principal.ts';
import { parse } from '../../../platform/http/parse.ts';
import type { IdentityContext } from './identity-context.ts';

const PATH = '/api/identity/tokens';
const idSchema = z.object({ id: z.guid() });

/** A person's own access tokens: list and end. */
export function registerTokenRoutes(app: FastifyInstance, context: IdentityContext): void {
  async function personOf(request: Parameters<IdentityContext['authenticate']>[0]): Promise<string> {
    const principal = await context.authenticate(request);
    if (!isInApp(principal))
      throw new AppError('forbidden', 'Access tokens are seen and ended at the app only');
    return principal.personId;
  }

  app.get(PATH, async (request) => context.backend().accessTokens.list(await personOf(request)));

  app.delete(`${PATH}/:id`, async (request, reply) => {
    const personId = await personOf(request);
    const { id } = parse(idSchema, request.params);
    const isEnded = await context.backend().accessTokens.end(personId, id);
    if (!isEnded) throw new AppError('not_found', 'There is no such access token');
    return reply.code(204).send();
  });
}
