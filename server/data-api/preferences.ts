/** What the request's headers ask for beyond its query. */
import { parseError } from './api-error.ts';

export interface Preferences {
  withTotal: boolean;
  returns: 'representation' | 'minimal' | 'headers-only';
  duplicates: 'merge' | 'ignore' | null;
  isSingleObject: boolean;
  /** Of the header Range, in rows. */
  range: { first: number; last: number | null } | null;
}

export type RequestHeaders = Readonly<Record<string, string | undefined>>;

function parseRange(text: string | undefined): Preferences['range'] {
  const found = /^\s*(?:items=)?(\d{1,9})-(\d{1,9})?\s*$/.exec(text ?? '');
  if (found === null) return null;
  const first = Number(found[1]);
  const last = found[2] === undefined ? null : Number(found[2]);
  if (last !== null && last < first) throw parseError('Range', text ?? '');
  return { first, last };
}

/** Header names are lower-case, as Node gives them. */
export function readPreferences(headers: RequestHeaders): Preferences {
  const wishes = new Set((headers['prefer'] ?? '').split(',').map((wish) => wish.trim().toLowerCase()));
  const returns = wishes.has('return=representation')
    ? 'representation'
    : wishes.has('return=headers-only')
      ? 'headers-only'
      : 'minimal';
  return {
    // An exact count also honours who would be content with an estimate.
    withTotal: ['count=exact', 'count=planned', 'count=estimated'].some((wish) => wishes.has(wish)),
    returns,
    duplicates: wishes.has('resolution=merge-duplicates')
      ? 'merge'
      : wishes.has('resolution=ignore-duplicates')
        ? 'ignore'
        : null,
    isSingleObject: (headers['accept'] ?? '').includes('application/vnd.pgrst.object+json'),
    range: parseRange(headers['range']),
  };
}
