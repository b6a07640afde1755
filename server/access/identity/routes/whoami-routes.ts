import type { FastifyInstance } from 'fastify';
import { presentWhoami } from './whoami-presenter.ts';
import { personProperties } from '../../people/people-query.ts';
import type { RouteContext } from '../../request/route-context.ts';
import type { Database } from '../../../platform/db/database.ts';

interface WhoamiContext extends RouteContext<{ db: Database }> {
  settings: { isChecksOnly: boolean };
  hostname: string;
}

/** Who is signed in, with the roles of this moment (contract §2.1). */
export function registerWhoamiRoutes(app: FastifyInstance, context: WhoamiContext): void {
  app.get('/api/auth/whoami', async (request) => {
    const principal = await context.authenticate(request);
    const properties = context.settings.isChecksOnly
      ? null
      : await personProperties(context.backend().db, principal.personId);
    return presentWhoami(principal, { hostname: context.hostname, properties });
  });
}
