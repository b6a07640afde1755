/** Headers that every answer carries, errors and files included. */
import type { FastifyInstance } from 'fastify';
import { isApiPath } from '../platform/http/api-path.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The nonce of this answer's own script and style tags; empty for all but the page itself. */
    cspNonce: string;
  }
}

const YEAR_SECONDS = 31_536_000;

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'midi']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The policy; style attributes stay open because tables and charts position their parts with them. */
export function contentSecurityPolicy(nonce: string, connectOrigins: readonly string[] = []): string {
  const own = nonce === '' ? `'self'` : `'self' 'nonce-${nonce}'`;
  return [
    `default-src 'none'`,
    `script-src ${own}`,
    `style-src ${own}`,
    `style-src-attr 'unsafe-inline'`,
    [`connect-src 'self'`, ...connectOrigins].join(' '),
    `img-src 'self' data:`,
    `font-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** The headers as plain pairs, for the few answers that are written without a reply object. */
export function securityHeaders(
  nonce: string,
  isHttps: boolean,
  connectOrigins: readonly string[] = [],
): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(nonce, connectOrigins),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` } : {}),
  };
}

/** Set when the answer is sent, so that neither a handler nor a proxied backend can loosen them. */
export function addSecurityHeaders(app: FastifyInstance, connectOrigins: readonly string[] = []): void {
  app.decorateReply('cspNonce', '');
  app.addHook('onSend', async (request, reply) => {
    reply.headers(securityHeaders(reply.cspNonce, request.isHttpsSite, connectOrigins));
    if (isApiPath(request.url)) reply.header('cache-control', 'no-store');
  });
}
