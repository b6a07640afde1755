/** The catalog's two searches: changes and the summary (contract §6.5, §6.6). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { may } from '../../../src/domain/access/matrix.ts';
import { searchChanges } from '../../catalog/changes-query.ts';
import { readCatalogSummary } from '../../catalog/summary-query.ts';
import { refuseUnless } from '../../policies/refuse-unless.ts';
import { parse } from '../route-context.ts';
import type { RouteContext } from '../route-context.ts';
import { changesSchema, changesSearch } from './changes-request.ts';
import { catalogSummary, catalogSummarySchema } from './summary-request.ts';

async function authorise(context: RouteContext, request: FastifyRequest): Promise<void> {
  const principal = await context.authenticate(request);
  refuseUnless(may(principal.roles, 'database', 'read'), {
    subject: principal.personId,
    object: 'catalog',
    action: 'read',
  });
}

/** Sends the database's own JSON. */
function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}

export function registerCatalogRoutes(app: FastifyInstance, context: RouteContext): void {
  async function answerChanges(request: FastifyRequest, reply: FastifyReply, asked: unknown) {
    await authorise(context, request);
    const search = changesSearch(parse(changesSchema, asked ?? {}), context.platform.now());
    return sendJson(reply, await searchChanges(context.backend().db, search));
  }

  app.post('/api/catalog/changes', (request, reply) => answerChanges(request, reply, request.body));
  app.get('/api/catalog/changes', (request, reply) => answerChanges(request, reply, request.query));

  app.post('/api/catalog/summary', async (request, reply) => {
    await authorise(context, request);
    const summary = catalogSummary(parse(catalogSummarySchema, request.body), context.platform.now());
    return sendJson(reply, await readCatalogSummary(context.backend().db, summary));
  });
}
