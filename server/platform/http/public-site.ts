/**
 * Under which address a browser knows this server, request by request. PUBLIC_URL decides where it is set: behind a
 * proxy that ends TLS on another host, the connection itself doesn't show that the site is https.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme and host as the browser has them. */
    siteOrigin: string;
    /** Cookies are Secure, and the browser is told to stay with https. */
    isHttpsSite: boolean;
  }
}

/** For the few answers to requests that met no hook. */
export function isHttpsSite(request: FastifyRequest, publicUrl: string | null): boolean {
  return request.protocol === 'https' || publicUrl?.startsWith('https:') === true;
}

/** Adds both to every request. */
export function addPublicSite(app: FastifyInstance, publicUrl: string | null): void {
  const configured = publicUrl === null ? null : new URL(publicUrl);
  app.decorateRequest('siteOrigin', {
    getter(this: FastifyRequest) {
      if (configured !== null && configured.host === this.host) return configured.origin;
      return `${this.protocol}://${this.host}`;
    },
  });
  app.decorateRequest('isHttpsSite', {
    getter(this: FastifyRequest) {
      return isHttpsSite(this, publicUrl);
    },
  });
}

/** The address of a front (another server before this one) that the request came through; null without one. */
export function frontOf(request: FastifyRequest): string | null {
  const forwarded = request.headers['x-forwarded-host'];
  // Believed only from a trusted proxy: else `host` isn't what the header says.
  if (typeof forwarded !== 'string' || request.host === request.headers.host) return null;
  const address = `${request.protocol}://${request.host}`;
  return URL.canParse(address) && new URL(address).host === request.host.toLowerCase() ? address : null;
}
