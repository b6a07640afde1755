/** The routes by which people run the product itself: silences, agents, users, connections, documents. */
import type { FastifyInstance } from 'fastify';
import { registerSilenceRoutes } from './notifications/silence-routes.ts';
import type { RouteContext } from './route-context.ts';

export function registerOperatorRoutes(app: FastifyInstance, context: RouteContext): void {
  registerSilenceRoutes(app, context);
}
