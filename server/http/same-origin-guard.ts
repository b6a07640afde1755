/**
 * Refuses state-changing API calls that another site made a browser send. A browser always says where a call
 * comes from (Origin, Sec-Fetch-Site); a caller that says neither isn't one. JSON as the only body type keeps
 * forms and `text/plain` out even where an old browser says nothing.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { isApiPath } from '../platform/http/api-path.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  // The scheme isn't compared: a proxy that ends TLS may not tell it, the host it must.
  return !URL.canParse(origin) || new URL(origin).host !== request.host;
}

function hasForeignBody(request: FastifyRequest): boolean {
  const type = request.headers['content-type'];
  return type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page of this route sends an empty form; its origin is judged as ever. */
    isFormAllowed?: true;
    /** What comes is passed on, whatever it is; no browser's session opens the route. */
    takesAnyBody?: true;
  }
}

/**
 * Throws `forbidden` for another site's call, `invalid` (415) for a body that isn't JSON; `isAnyBodyAllowed` is for a
 * proxy.
 */
export function addSameOriginGuard(app: FastifyInstance, options: { isAnyBodyAllowed: boolean }): void {
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || !isApiPath(request.url)) return;
    if (!request.isAllowedOrigin && isForeign(request)) {
      throw new AppError('forbidden', 'The request comes from another site');
    }
    const { isFormAllowed, takesAnyBody } = request.routeOptions.config;
    const isTaken = isFormAllowed === true || takesAnyBody === true;
    if (!options.isAnyBodyAllowed && !isTaken && hasForeignBody(request)) {
      throw new AppError('invalid', 'Send the body as application/json', { status: 415 });
    }
  });
}
