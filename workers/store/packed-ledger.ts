/**
 * What a packed database says of itself: how many records it has and what they come to. It is written in the
 * transaction of every change, so a database that holds less (or other) than it says was changed by somebody else.
 */
import type { PackedDelta, PackedPage } from './packed-pages.ts';

export const LEDGER_TABLE = 'ledger';
export const LEDGER_KEY = 'ledger';

export interface Ledger {
  key: string;
  /** Drawn when the database was made: one that is made again is another. */
  generation: string;
  /** Changes so far. */
  writes: number;
  pages: number;
  deltas: number;
  /** Checksum over all records, in any order. */
  sum: number;
  /** Length of all texts. */
  size: number;
}

/** How far a database was written: a later state of the same database has the same generation and more writes. */
export type Stamp = Pick<Ledger, 'generation' | 'writes'>;

/** What tells one state of the database from any other. */
export const stampOf = ({ generation, writes }: Ledger): Stamp => ({ generation, writes });

/** What a packed database holds. */
export interface Records {
  pages: readonly PackedPage[];
  deltas: readonly PackedDelta[];
}

function hashOf(texts: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ text.length, 0x01000193);
  }
  return hash >>> 0;
}

/** What records come to, in any order. */
export type Weight = Pick<Ledger, 'pages' | 'deltas' | 'sum' | 'size'>;

/** Numbers that the database gives by itself are left out: the log is added before they exist. */
export function weigh({ pages, deltas }: Records): Weight {
  let [sum, size] = [0, 0];
  for (const { partition, page, body } of pages) {
    sum = (sum + hashOf([partition, String(page), body])) >>> 0;
    size += body.length;
  }
  for (const { partition, upserts, deletedIds } of deltas) {
    sum = (sum + hashOf([partition, upserts, ...deletedIds])) >>> 0;
    size += upserts.length;
  }
  return { pages: pages.length, deltas: deltas.length, sum, size };
}

/** The ledger of a database that holds these records and nothing else. */
export function ledgerOf(records: Records, generation: string, writes = 0): Ledger {
  return { key: LEDGER_KEY, generation, writes, ...weigh(records) };
}

/** The ledger after one change. */
export function afterChange(
  before: Ledger,
  { added, removed }: { added: Partial<Records>; removed: Partial<Records> },
): Ledger {
  const more = weigh({ pages: [], deltas: [], ...added });
  const less = weigh({ pages: [], deltas: [], ...removed });
  return {
    ...before,
    writes: before.writes + 1,
    pages: before.pages + more.pages - less.pages,
    deltas: before.deltas + more.deltas - less.deltas,
    sum: (before.sum + more.sum - less.sum) >>> 0,
    size: before.size + more.size - less.size,
  };
}

/** Of records that were weighed apart. */
export function plus(one: Weight, other: Weight): Weight {
  return {
    pages: one.pages + other.pages,
    deltas: one.deltas + other.deltas,
    sum: (one.sum + other.sum) >>> 0,
    size: one.size + other.size,
  };
}

/** True when this is what the records come to of which the ledger speaks. */
export function isTrue(ledger: Ledger, found: Weight): boolean {
  return found.pages === ledger.pages && found.deltas === ledger.deltas && found.sum === ledger.sum;
}
