/**
 * The merge patch of two JSON documents. The library for it reads keys such as `toString` of what it compares as methods, and
 * takes the square of an object's keys.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../../src/lib/is-record.ts';

/** What makes the one into the other (RFC 7396), null for what is gone; undefined where they are the same. */
export function mergePatch(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return isDeepStrictEqual(before, after) ? undefined : after;
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const patch: [string, unknown][] = gone.map((name) => [name, null]);
  for (const [name, value] of Object.entries(after)) {
    const change = Object.hasOwn(before, name) ? mergePatch(before[name], value) : value;
    if (change !== undefined) patch.push([name, change]);
  }
  return patch.length === 0 ? undefined : Object.fromEntries(patch);
}
