/** Which addresses are the API's. */

/** `%61` is `a` to the router. */
function decoded(path: string): string {
  return path.replaceAll(/%([\da-f]{2})/gi, (_whole, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * True for paths of the API, which are never files of the app. The router decodes a path and takes the host off an
 * address that brings one before it looks for a route, so both are done here: what it would find is what is guarded.
 */
export function isApiPath(url: string): boolean {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/);
  return /^\/api(?:\/|$)/.test(decoded(path));
}
