/** Our extras on the wire (src/contract/sync.ts): what this server can, and its event stream. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { cursorSchema, type Capabilities } from '../../../src/contract/sync.ts';
import { APP_VERSION } from '../../../src/contract/version.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isInApp } from '../../access/identity/sessions/principal.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EventStreams } from './event-streams.ts';
import { registerChangesRoutes } from './changes-routes.ts';
import { registerSnapshotPagesRoutes } from './snapshot-pages-routes.ts';

interface SyncContext extends RouteContext<{ streams: Pick<EventStreams, 'open'>; db: Database }> {
  settings: { isChecksOnly: boolean };
  /** Calls can be passed on to some cluster. */
  hasClusters: () => Promise<boolean>;
}

const eventsQuery = z.object({ cursor: cursorSchema.optional() });

/** What this server can, the feed by pages, and its event stream. */
export function registerSyncRoutes(app: FastifyInstance, context: SyncContext): void {
  app.get('/api/capabilities', async (request): Promise<Capabilities> => {
    await context.authenticate(request);
    return {
      version: APP_VERSION,
      server_time: new Date(context.platform.now()).toISOString(),
      events: true,
      summary_extras: true,
      summary_range: true,
      change_log: true,
      // A health-only deployment has nobody who could send any.
      commands: !context.settings.isChecksOnly,
      push: !context.settings.isChecksOnly,
      cluster_proxy: await context.hasClusters(),
      playbook_runs: !context.settings.isChecksOnly,
      checks_only: context.settings.isChecksOnly,
    };
  });

  registerChangesRoutes(app, context);
  registerSnapshotPagesRoutes(app, context);

  // A HEAD request would open a stream that nobody reads; compression would hold events back.
  app.get('/api/events', { exposeHeadRoute: false, compress: false }, async (request, reply) => {
    const reader = await context.authenticate(request);
    if (!isInApp(reader) && !context.settings.isChecksOnly) {
      throw new AppError('forbidden', 'Event streams need a session, sign in instead of sending a password');
    }
    reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8');
    const query = parse(eventsQuery, request.query);
    const resumed = request.headers['last-event-id'];
    const cursor = typeof resumed === 'string' && resumed !== '' ? resumed : (query.cursor ?? null);
    return reply.send(context.backend().streams.open(reader, cursor));
  });
}
