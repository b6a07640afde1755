/** Pages that moved for good (contract §1.2); the query goes along. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

const PERMANENT = 308;

const searchOf = (request: FastifyRequest) => {
  const at = request.url.indexOf('?');
  return at === -1 ? '' : request.url.slice(at);
};

/** Everything under the old folder is under the new one now. */
function moveFolder(app: FastifyInstance, from: string, to: string): void {
  app.get(from, (request, reply) => reply.redirect(`${to}${searchOf(request)}`, PERMANENT));
  app.get(`${from}/*`, (request, reply) => {
    // The path as it was sent: what is encoded in it stays so.
    const rest = request.url.slice(from.length);
    return reply.redirect(`${to}${rest}`, PERMANENT);
  });
}

/** Old addresses of pages lead to the new ones. */
export function registerPageRedirects(app: FastifyInstance): void {
  moveFolder(app, '/config', '/catalog');
  moveFolder(app, '/settings/notifications', '/notifications');
  app.get('/notifications/silence', (request, reply) =>
    reply.redirect(`/notifications/silences/add${searchOf(request)}`, PERMANENT),
  );
}
