/** Our extras on the wire (src/contract/sync.ts): what this server can, and its event stream. */
import type { FastifyInstance } from 'fastify';
import type { Capabilities } from '../../../src/contract/sync.ts';
import { APP_VERSION } from '../../../src/contract/version.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { RouteContext } from '../route-context.ts';

export function registerSyncRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/api/capabilities', async (request): Promise<Capabilities> => {
    await context.authenticate(request);
    return {
      version: APP_VERSION,
      server_time: new Date(context.platform.now()).toISOString(),
      events: true,
      summary_extras: true,
      summary_range: true,
      change_log: false,
      commands: false,
    };
  });

  // A HEAD request would open a stream that nobody reads; compression would hold events back.
  app.get('/api/events', { exposeHeadRoute: false, compress: false }, async (request, reply) => {
    const reader = await context.authenticate(request);
    if (reader.sessionId === null && !context.settings.isChecksOnly) {
      throw new AppError('forbidden', 'Event streams need a session, sign in instead of sending a password');
    }
    reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8');
    return reply.send(context.backend().streams.open(reader));
  });
}
