/** The catalog's two searches: changes and the summary (contract §6.5, §6.6). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { may } from '../../../src/domain/access/matrix.ts';
import { searchChanges } from '../search/changes-query.ts';
import { readCatalogCursor, readCatalogSummary } from '../search/summary-query.ts';
import { refuseUnless } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { createSharedAnswers } from '../../platform/http/shared-answers.ts';
import { changesSchema, changesSearch } from './changes-request.ts';
import { catalogSummary, catalogSummarySchema } from './summary-request.ts';

/** While nothing in the catalog changes, only the windows of a summary move on. */
const KEEP_SUMMARY_MS = 30_000;
/** Who asks for an answer that several requests get. */
const SHARED = 'catalog-summary';

async function authorise(context: RouteContext<{ db: Database }>, request: FastifyRequest): Promise<void> {
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

/** `/api/catalog/changes` and `/api/catalog/summary`. */
export function registerCatalogRoutes(app: FastifyInstance, context: RouteContext<{ db: Database }>): void {
  const summaries = createSharedAnswers(context.platform);
  async function answerChanges(request: FastifyRequest, reply: FastifyReply, asked: unknown) {
    await authorise(context, request);
    const search = changesSearch(parse(changesSchema, asked ?? {}), context.platform.now());
    return sendJson(reply, await searchChanges(context.callerDatabase(request), search));
  }

  app.post('/api/catalog/changes', (request, reply) => answerChanges(request, reply, request.body));
  app.get('/api/catalog/changes', (request, reply) => answerChanges(request, reply, request.query));

  app.post('/api/catalog/summary', async (request, reply) => {
    await authorise(context, request);
    const asked = parse(catalogSummarySchema, request.body);
    const summary = catalogSummary(asked, context.platform.now());
    // Shared with others: it goes on when this request is closed.
    const db = context.backend().db.asCaller({ id: SHARED });
    const key = `${await readCatalogCursor(db)} ${JSON.stringify(asked)}`;
    return sendJson(
      reply,
      await summaries.share(key, KEEP_SUMMARY_MS, () => readCatalogSummary(db, summary)),
    );
  });
}
