/** Patterns of paths as buckets' addresses write them, told in bounded time whatever the pattern. */

/** What a sign of a pattern stands for. */
type Sign = { text: string } | 'one' | 'name' | 'folders' | 'all';

/** `*` and `?` stay within a name, `**` does not, `**` and a slash are any folders or none; everything else is itself. */
function signsOf(pattern: string): Sign[] {
  const signs: Readonly<Record<string, Sign>> = { '**/': 'folders', '**': 'all', '*': 'name', '?': 'one' };
  return pattern.split(/(\*\*\/|\*\*|\*|\?)/).flatMap((part): Sign[] => {
    const sign = signs[part];
    if (sign !== undefined) return [sign];
    return part === '' ? [] : [{ text: part }];
  });
}

/** Where in the path one may be after the sign, of where one may be before it. */
function after(sign: Sign, path: string, before: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  if (typeof sign === 'object') {
    for (const at of before) if (path.startsWith(sign.text, at)) found.add(at + sign.text.length);
    return found;
  }
  let isInside = false;
  for (let at = 0; at <= path.length; at += 1) {
    const isSlash = at > 0 && path[at - 1] === '/';
    if (sign === 'one') {
      if (at > 0 && !isSlash && before.has(at - 1)) found.add(at);
      continue;
    }
    if (sign === 'name' && isSlash) isInside = false;
    const isHere = before.has(at);
    if (isHere || (isInside && (sign !== 'folders' || isSlash))) found.add(at);
    isInside ||= isHere;
  }
  return found;
}

/** Whether a pattern is meant at all. */
export const isPathPattern = (text: string): boolean => /[*?]/.test(text);

/** Whether the path is one that the pattern means. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const signs = signsOf(pattern);
  return (path) => {
    let places: ReadonlySet<number> = new Set([0]);
    for (const sign of signs) places = after(sign, path, places);
    return places.has(path.length);
  };
}
