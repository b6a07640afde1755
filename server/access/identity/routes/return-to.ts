/** Where a sign-in may lead back to: a page of this very app, nowhere else (no open redirect). */
import type { FastifyRequest } from 'fastify';

/** Scheme and host under which the browser knows us. */
export function originOf(request: FastifyRequest): string {
  return request.siteOrigin;
}

/** The path to return to; null when none was given, 'forbidden' when it leads elsewhere. */
export function returnPathOf(request: FastifyRequest, returnTo: string | undefined): string | null {
  if (returnTo === undefined || returnTo === '') return null;
  const origin = originOf(request);
  if (!URL.canParse(returnTo, origin)) return 'forbidden';
  const url = new URL(returnTo, origin);
  // The parser has undone backslashes, tabs and dots by now; what it says is where a browser goes. A path that
  // starts with two slashes would be read as a host when it stands alone in a Location header.
  const isOurs = url.host === request.host && /^https?:$/.test(url.protocol);
  return isOurs && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : 'forbidden';
}
