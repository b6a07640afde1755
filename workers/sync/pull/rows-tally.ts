/**
 * What is kept of one collection in three numbers, for a store that keeps no ledger beside its rows: it is compared
 * with what is there, and what a write will lead to is said before it, so that a crash in between is told from a loss.
 */
import type { Stamp } from '../../store/packed-ledger.ts';
import type { RowStore } from '../../store/row-store.ts';
import type { VouchedStore, WriteAhead } from '../store/store-vouch.ts';

/** Read whole at every look: this much takes a few milliseconds. */
const SMALL_SIZE = 1_000_000;
/** So many rows are that small, whatever they hold. */
const FEW_ROWS = 300;

export interface KnownRow {
  /** Another row has another. */
  fingerprint: number;
  updatedAt: string | null;
  /** Length of its text. */
  size: number;
}

export interface Replicated {
  id: string;
  updated_at?: unknown;
}

/** Of rows, by their ids. */
export type Facts = ReadonlyMap<string, KnownRow>;

interface Tally {
  count: number;
  sum: number;
  size: number;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** What is remembered of a row, by its id. */
export function factsOf(row: Replicated): [string, KnownRow] {
  const text = JSON.stringify(row);
  const updatedAt = typeof row.updated_at === 'string' ? row.updated_at : null;
  return [row.id, { fingerprint: hashOf(text), updatedAt, size: text.length }];
}

/** With so many of these rows more, or less. */
function changed(tally: Tally, rows: Iterable<readonly [string, KnownRow]>, sign: 1 | -1): Tally {
  let { count, sum, size } = tally;
  for (const [id, row] of rows) {
    count += sign;
    sum = (sum + sign * Math.imul(row.fingerprint ^ id.length, 0x9e3779b1)) >>> 0;
    size += sign * row.size;
  }
  return { count, sum, size };
}

const tallyOf = (facts: Facts) => changed({ count: 0, sum: 0, size: 0 }, facts, 1);
/** Its name; begins with the number of rows (store-vouch.ts). */
const stateOf = ({ count, sum }: Tally) => `${count} rows ${sum.toString(16)}`;
const stampOf = (tally: Tally): Stamp => ({ generation: stateOf(tally), writes: 0 });

function these(facts: Facts, ids: Iterable<string>): [string, KnownRow][] {
  return [...ids].flatMap((id) => {
    const row = facts.get(id);
    return row === undefined ? [] : [[id, row] as [string, KnownRow]];
  });
}

/** Every state on the way of a write, as RxDB does it: rows go, new ones come, then those change that are there. */
function statesOf(
  from: Tally,
  facts: Facts,
  { upserts, gone }: { upserts: Facts; gone: readonly string[] },
): [Tally, Tally, Tally] {
  const isGone = new Set(gone);
  const isThere = (id: string) => facts.has(id) && !isGone.has(id);
  const deleted = changed(from, these(facts, isGone), -1);
  const inserted = changed(
    deleted,
    [...upserts].filter(([id]) => !isThere(id)),
    1,
  );
  const replaced = [...upserts].filter(([id]) => isThere(id));
  const without = changed(inserted, these(facts, new Map(replaced).keys()), -1);
  return [deleted, inserted, changed(without, replaced, 1)];
}

/** One for a collection's store; `ahead` is null where no mark depends on it. */
export class RowsTally implements VouchedStore {
  private readonly store: RowStore<Replicated>;
  private readonly ahead: WriteAhead | null;
  private tally: Tally | null = null;
  private last: Stamp | null = null;

  constructor(store: RowStore<Replicated>, ahead: WriteAhead | null) {
    this.store = store;
    this.ahead = ahead;
  }

  /** These were read from the store. Throws `storage` when others should be there: the next mark would hide it. */
  async found(facts: Facts): Promise<void> {
    this.tally = tallyOf(facts);
    await this.ahead?.expect(stateOf(this.tally));
  }

  /** Another worker wrote. */
  forget(): void {
    this.tally = null;
  }

  /** Before a write; call what it answers when that is done. */
  async begin(facts: Facts, change: { upserts: Facts; gone: readonly string[] }): Promise<() => void> {
    const from = this.tally ?? tallyOf(facts);
    const states = statesOf(from, facts, change);
    await this.ahead?.begin(stateOf(from), states.map(stateOf));
    return () => this.wrote(states[2]);
  }

  /** The store has exactly these now. */
  replaced(facts: Facts): void {
    this.wrote(tallyOf(facts));
  }

  written(): Stamp | null {
    return this.last;
  }

  async stamp({ isThorough }: { isThorough: boolean }): Promise<Stamp | 'unread'> {
    const { store, tally, ahead } = this;
    const count = await store.count();
    const isSmall = tally === null ? count <= FEW_ROWS : tally.size <= SMALL_SIZE;
    if (isThorough || isSmall) {
      const found = stateOf(tallyOf(new Map((await store.loadAll()).map(factsOf))));
      return { generation: (await ahead?.noted(found)) ?? found, writes: 0 };
    }
    return (await ahead?.isCounted(count)) === false ? { generation: `${count} rows`, writes: 0 } : 'unread';
  }

  private wrote(tally: Tally): void {
    this.tally = tally;
    this.last = stampOf(tally);
  }
}
