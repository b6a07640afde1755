/**
 * Reads a table page by page, each starting after the last row of the one before (keyset), so that rows which
 * move meanwhile are seen twice rather than never. The server may answer with fewer rows than were asked for
 * although there are more, so a short page ends the reading only when the total says so, else an empty one.
 */
import type { DataApi, PageQuestion } from '../network/data-api.ts';

export const PAGE_ROWS = 1000;

export interface KeysetQuestion {
  table: string;
  select?: string;
  where?: NonNullable<PageQuestion['where']>;
  /** A logic tree that holds for every page. */
  logic?: string;
  /** The columns to order and to go on by; the last one is unique. */
  keys: readonly [string] | readonly [string, string];
  signal: AbortSignal;
}

function keyOf(row: unknown, column: string): string | null {
  if (typeof row !== 'object' || row === null) return null;
  const value = (row as Record<string, unknown>)[column];
  return typeof value === 'string' ? value : null;
}

/** Rows after the given one, as a logic tree; null when the row lacks a key. */
function afterRow(row: unknown, [first, second]: KeysetQuestion['keys']): string | null {
  const a = keyOf(row, first);
  if (a === null) return null;
  if (second === undefined) return `${first}.gt.${a}`;
  const b = keyOf(row, second);
  return b === null ? null : `or(${first}.gt.${a},and(${first}.eq.${a},${second}.gt.${b}))`;
}

/** Both conditions as the inside of one `or=(…)`, which every data API takes once. */
function both(a: string | undefined, b: string | null): string | undefined {
  if (a === undefined) return b ?? undefined;
  return b === null ? a : `and(${a},${b})`;
}

/** Yields pages of raw rows with the share that is done, 0 to 1 (null when unknown). */
export async function* keysetPages(
  api: DataApi,
  question: KeysetQuestion,
): AsyncGenerator<{ rows: unknown[]; done: number | null }> {
  const { keys, logic, signal, ...rest } = question;
  let after: string | null = null;
  let total: number | null = null;
  let seen = 0;
  for (;;) {
    const tree = both(logic, after);
    const page = await api.page({
      ...rest,
      ...(tree === undefined ? {} : { logic: tree }),
      order: keys.map((column) => ({ column })),
      limit: PAGE_ROWS,
      wantsTotal: after === null,
      signal,
    });
    if (after === null) total = page.total;
    seen += page.rows.length;
    if (page.rows.length === 0) return;
    yield { rows: page.rows, done: total === null ? null : Math.min(1, seen / total) };
    if (page.rows.length < PAGE_ROWS && total !== null && seen >= total) return;
    after = afterRow(page.rows.at(-1), keys);
    if (after === null) return;
  }
}
