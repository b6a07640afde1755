/** `POST /resources/search`: configs, components, checks … by selector, each kind for those who may read it. */
import type { FastifyInstance } from 'fastify';
import { resourceSearchSchema } from '../../../src/contract/http/search.ts';
import { RESOURCE_KINDS } from '../search/resource-kinds.ts';
import type { ResourceKindName } from '../search/resource-kinds.ts';
import { searchResources } from '../search/selector-query.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';

const KIND_NAMES = Object.keys(RESOURCE_KINDS) as ResourceKindName[];

/** `/api/resources/search`. */
export function registerSearchRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/api/resources/search', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'catalog', 'read');
    const search = parse(resourceSearchSchema, request.body ?? {});
    const asked = KIND_NAMES.filter((name) => search[name] !== undefined);
    for (const name of asked) authorize(principal, RESOURCE_KINDS[name].object, 'read');
    const db = context.callerDatabase(request);
    const answers = await Promise.all(
      asked.map(async (name) => {
        const rows = await searchResources(db, name, { selectors: search[name] ?? [], limit: search.limit });
        return rows === '[]' ? [] : [`"${name}":${rows}`];
      }),
    );
    return reply.type('application/json; charset=utf-8').send(`{${answers.flat().join(',')}}`);
  });
}
