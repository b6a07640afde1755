import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import { schemaFile } from './schema-files.ts';

/** `GET /schemas/{file}`: what the editors check documents with, for everyone who is signed in (contract §15). */
export function registerSchemaRoutes(
  app: FastifyInstance,
  context: Pick<RouteContext, 'authenticate'>,
): void {
  app.get<{ Params: { file: string } }>('/api/schemas/:file', async (request, reply) => {
    await context.authenticate(request);
    const text = schemaFile(request.params.file);
    if (text === null) throw new AppError('not_found', 'There is no schema of this name');
    return reply.type('application/schema+json; charset=utf-8').send(text);
  });
}
