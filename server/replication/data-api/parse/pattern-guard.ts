/**
 * Which regular expressions a client may send. Back references and look-around make PostgreSQL try every way there
 * is to match, and large bounds make it build machines of thousands of states; without them it reads a text once.
 */
import { DataApiError } from './api-error.ts';

const MAX_LENGTH = 500;
/** A bound, and what bounds inside of each other multiply to. */
const MAX_REPEATS = 100;
const MAX_STATES = 1000;

/** The signs that matter: escaped characters, groups with a mark, bounds. */
const SIGNS = /\\(?<escaped>[\s\S])|\(\?(?<mark>:?)|\{(?<least>\d+)(?:,(?<most>\d*))?\}/g;
/** At its start: case, newlines and literal text. Those for other dialects would write bounds differently. */
const OPTIONS = /^\(\?[ceimnpqstw]+\)/;

function refused(what: string): DataApiError {
  return new DataApiError(400, {
    code: '2201B',
    message: `invalid regular expression: ${what}`,
    hint: 'Use like, ilike or a simpler expression.',
  });
}

function repeatsOf({ least = '0', most }: Readonly<Record<string, string | undefined>>): number {
  return Math.max(Number(least), Number(most === undefined || most === '' ? 0 : most), 1);
}

function assertHarmless(pattern: string): void {
  let states = 1;
  for (const { groups = {} } of pattern.replace(OPTIONS, '').matchAll(SIGNS)) {
    if (/[1-9]/.test(groups['escaped'] ?? '')) throw refused('back references are not allowed');
    if (groups['mark'] === '') throw refused('look-around and options inside of it are not allowed');
    if (groups['least'] === undefined) continue;
    const repeats = repeatsOf(groups);
    states *= repeats;
    if (repeats > MAX_REPEATS || states > MAX_STATES)
      throw refused(`bounds greater than ${MAX_REPEATS} (${MAX_STATES} together) are not allowed`);
  }
}

/** Throws when the database could be held up with the pattern, or with one in a list of them in braces. */
export function assertHarmlessPattern(pattern: string, isList: boolean): void {
  if (pattern.length > MAX_LENGTH) throw refused(`longer than ${MAX_LENGTH} characters`);
  assertHarmless(pattern);
  // Lists have escapes of their own around those of their patterns.
  if (isList) assertHarmless(pattern.replaceAll(/\\([\s\S])/g, '$1'));
}
