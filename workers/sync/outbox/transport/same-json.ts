/** Compares what a backend answers with what was written. */

/** As text in which the order of keys plays no part: databases keep JSON in their own. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Whether two values are the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}
