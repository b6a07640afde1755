import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../route-context.ts';
import { readProperties } from './properties-query.ts';

/** Feature flags and settings for everyone who is signed in (contract §3). */
export function registerPropertiesRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/api/properties', async (request) => {
    await context.authenticate(request);
    const rows = await readProperties(context.backend().db);
    return rows.map(({ name, value }) => ({ name, value, source: 'db', type: '', description: '' }));
  });
}
