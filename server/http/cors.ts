/**
 * Fronts in direct mode (contract §2.3): pages of the origins that the operator named may call this server with a
 * token. Cookies are never taken from there, so that nothing of the built-in sign-in can be used across sites.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isApiPath } from '../platform/http/api-path.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** `responseType` is a header that the original client sends by accident (contract §1.1). */
const REQUEST_HEADERS = 'authorization, content-type, accept, prefer, range, range-unit, responsetype';
const ANSWER_HEADERS = 'content-range, retry-after, date, location, preference-applied';
const PREFLIGHT_SECONDS = '600';

declare module 'fastify' {
  interface FastifyRequest {
    /** A page of another origin that the operator allowed. */
    isAllowedOrigin: boolean;
  }
}

function originIn(request: FastifyRequest, allowed: ReadonlySet<string>): string | null {
  const { origin } = request.headers;
  return origin !== undefined && allowed.has(origin) && isApiPath(request.url) ? origin : null;
}

/** Cookies of a request from an allowed origin are taken off before anybody reads them. */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins);
  app.decorateRequest('isAllowedOrigin', false);
  app.addHook('onRequest', async (request, reply) => {
    const origin = originIn(request, allowed);
    if (origin === null) return;
    request.isAllowedOrigin = true;
    delete request.raw.headers.cookie;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': ANSWER_HEADERS,
      vary: 'Origin',
    });
    if (request.method !== 'OPTIONS') return;
    void reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    });
    await reply.code(204).send();
  });
}
