/** Limit and offset of the query joined with the header Range, and how an answer tells its place. */
import { rangeError } from './api-error.ts';

/** The rows from `first` to `last`, both counted from 0 and included; null for no end. */
interface RowRange {
  first: number;
  last: number | null;
}

function parseRange(text: string | undefined): RowRange | null {
  const found = /^\s*(?:items=)?(\d{1,9})-(\d{1,9})?\s*$/.exec(text ?? '');
  if (found === null) return null;
  const first = Number(found[1]);
  const last = found[2] === undefined ? null : Number(found[2]);
  if (last !== null && last < first) {
    throw rangeError(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  }
  return { first, last };
}

/** How many rows are wanted, null for all, and from which on. */
export interface RowWindow {
  limit: number | null;
  offset: number;
}

const lastOf = ({ limit, offset }: RowWindow) => (limit === null ? Infinity : offset + limit - 1);

/** The plan (or window) for only those of its rows that the header asks for, too. A limit of 0 stays none at all. */
export function withRange<Window extends RowWindow>(plan: Window, header: string | undefined): Window {
  const range = parseRange(header);
  if (range === null || plan.limit === 0) return plan;
  const offset = Math.max(plan.offset, range.first);
  const last = Math.min(lastOf(plan), range.last ?? Infinity);
  if (last < offset) throw rangeError('Limit should be greater than or equal to zero.');
  return { ...plan, offset, limit: last === Infinity ? null : last - offset + 1 };
}

/** Content-Range: `first-last/total`, `*` for what is none or unknown. */
export function contentRange(first: number, returned: number, total: number | null): string {
  const rows = returned === 0 || total === 0 ? '*' : `${first}-${first + returned - 1}`;
  return `${rows}/${total ?? '*'}`;
}

/** 416 beyond the end, 206 for a part, else 200. */
export function rangeStatus(
  page: { total: number | null; returned: number },
  offset: number,
): 200 | 206 | 416 {
  if (page.total === null) return 200;
  if (offset > page.total) return 416;
  return page.returned < page.total ? 206 : 200;
}
