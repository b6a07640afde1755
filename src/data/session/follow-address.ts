/**
 * An address that the identity server names, as this app follows it: a page of ours, an address that the browser
 * has to load (the server's own, or another site's over http), or nothing that may be followed.
 */
export function followable(
  address: string,
  origin: string,
): { kind: 'page'; path: string } | { kind: 'load'; href: string } | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.origin !== origin || url.pathname.startsWith('/api/')) return { kind: 'load', href: url.href };
  return { kind: 'page', path: url.pathname + url.search + url.hash };
}
