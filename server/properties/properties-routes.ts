import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../access/request/route-context.ts';
import { allProperties } from './all-properties.ts';

/**
 * Feature flags and settings for everyone who is signed in: what is set for this server, and what the database
 * has besides (contract §3, schema §3.6).
 */
export function registerPropertiesRoutes(
  app: FastifyInstance,
  context: RouteContext & { localProperties: ReadonlyMap<string, string> },
): void {
  app.get('/api/properties', async (request) => {
    await context.authenticate(request);
    const all = await allProperties(context.callerDatabase(request), context.localProperties);
    return all
      .map((property) => ({ ...property, type: '', description: '' }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  });
}
