/**
 * The rows of one collection in memory, as they are shown: server rows with pending commands on top, sorted as
 * often as it is asked for. It knows no store and no clock.
 * Invariants: an entry that didn't change stays the same object; a row keeps its slot for as long as it is shown.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { LiveQuestion } from '../../../src/contract/live-query.ts';
import { entryOf, type Entry } from './entry.ts';
import type { ShownRows } from './overlay.ts';
import { compareEntries, RowOrder, type Sort } from './row-order.ts';
import { SlotsByKey } from './slots-by-key.ts';

/** A row before and after; null where it wasn't shown. */
export interface EntryChange {
  before: Entry | null;
  after: Entry | null;
}

/** Orders kept for the next question; more are seldom looked at at once. */
const MAX_ORDERS = 6;

/** Rows that were read, ready to be taken. */
export interface PreparedRows {
  base: Map<string, ReplicatedRow>;
  slots: (Entry | null)[];
  /** By id. */
  slotOf: Map<string, number>;
}

/** What an index begins with. */
export function noRows(): PreparedRows {
  return { base: new Map(), slots: [], slotOf: new Map() };
}

/** About 20 ms of work between two pauses. */
const STEP_ROWS = 4000;

/** What is looked for: all that may pass are asked, and the window is cut from what does. */
interface Wanted extends Pick<LiveQuestion, 'where' | 'sort' | 'window'> {
  passes: (entry: Entry) => boolean;
}

/** Makes rows ready in steps, so that questions about others are answered meanwhile. */
export async function prepareRows(
  rows: readonly ReplicatedRow[],
  pause: () => Promise<void>,
): Promise<PreparedRows> {
  const prepared = noRows();
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % STEP_ROWS === 0) await pause();
    prepared.base.set(row.id, row);
    prepared.slotOf.set(row.id, prepared.slots.push(entryOf(row, 'none')) - 1);
  }
  return prepared;
}

/** One for a collection that somebody asks about. */
export class CollectionIndex {
  private readonly collection: CollectionName;
  private readonly overlay: ShownRows;
  private rows = noRows();
  private freeSlots: number[] = [];
  /** By the sort's text, the one used last at the end. */
  private readonly orders = new Map<string, RowOrder>();
  private readonly byKey: SlotsByKey;

  constructor(collection: CollectionName, overlay: ShownRows) {
    this.collection = collection;
    this.overlay = overlay;
    this.byKey = new SlotsByKey(collection);
  }

  get(id: string): Entry | null {
    const slot = this.rows.slotOf.get(id);
    return slot === undefined ? null : (this.rows.slots[slot] ?? null);
  }

  /** Tells `visit` every row, in no order that matters. */
  each(visit: (entry: Entry) => void): void {
    for (const entry of this.rows.slots) if (entry !== null) visit(entry);
  }

  /** Tells `visit` all rows that pass, in no order that matters, and answers with those of the window in order. */
  find(wanted: Wanted, visit: (entry: Entry) => void): Entry[] {
    const few = this.byKey.find(wanted, this.rows.slots);
    return few === null ? this.findAmongAll(wanted, visit) : this.findAmong(few, wanted, visit);
  }

  /** Few enough to be put in order for this answer alone. */
  private findAmong(
    few: readonly number[],
    { passes, sort, window }: Wanted,
    visit: (entry: Entry) => void,
  ): Entry[] {
    const found = few.flatMap((slot) => {
      const entry = this.rows.slots[slot] ?? null;
      return entry !== null && passes(entry) ? [entry] : [];
    });
    for (const entry of found) visit(entry);
    if (window.end <= window.start) return [];
    return found.sort((a, b) => compareEntries(sort, a, b)).slice(window.start, window.end);
  }

  private findAmongAll({ passes, sort, window }: Wanted, visit: (entry: Entry) => void): Entry[] {
    const { slots } = this.rows;
    const order = window.end > window.start ? this.order(sort) : null;
    const isAtRank = new Uint8Array(order === null ? 0 : slots.length);
    for (const [slot, entry] of slots.entries()) {
      if (entry === null || !passes(entry)) continue;
      visit(entry);
      if (order !== null) isAtRank[order.rankOf(slot)] = 1;
    }
    const found: Entry[] = [];
    let seen = 0;
    for (
      let rank = isAtRank.indexOf(1);
      rank >= 0 && seen < window.end;
      rank = isAtRank.indexOf(1, rank + 1)
    ) {
      const entry = seen >= window.start ? slots[order?.slotAt(rank) ?? -1] : null;
      if (entry) found.push(entry);
      seen += 1;
    }
    return found;
  }

  /** Takes what was read anew in the place of everything. */
  replaceAll(rows: PreparedRows): void {
    this.rows = rows;
    this.freeSlots = [];
    this.orders.clear();
    this.byKey.clear();
    this.recompute(this.overlay.touchedIds(this.collection));
  }

  /** Rows that came from the server: deletes first, then upserts. */
  apply(change: { upserts: readonly ReplicatedRow[]; deletedIds: readonly string[] }): EntryChange[] {
    const ids = new Set(change.deletedIds);
    for (const id of change.deletedIds) this.rows.base.delete(id);
    for (const row of change.upserts) {
      this.rows.base.set(row.id, row);
      ids.add(row.id);
    }
    return this.recompute(ids);
  }

  /** Computes rows anew whose pending commands changed. */
  recompute(ids: Iterable<string>): EntryChange[] {
    const changes: EntryChange[] = [];
    for (const id of ids) {
      const before = this.get(id);
      const found = this.overlay.shown(this.rows.base.get(id) ?? null, { collection: this.collection, id });
      const after = found === null ? null : entryOf(found.row, found.pending);
      if (before === null && after === null) continue;
      this.put(id, after);
      changes.push({ before, after });
    }
    return changes;
  }

  private put(id: string, entry: Entry | null): void {
    const { slots, slotOf } = this.rows;
    const slot = slotOf.get(id) ?? this.freeSlots.pop() ?? slots.length;
    this.byKey.put(slot, { before: slots[slot] ?? null, after: entry });
    slots[slot] = entry;
    for (const order of this.orders.values()) order.touch(slot);
    if (entry !== null) {
      slotOf.set(id, slot);
      return;
    }
    slotOf.delete(id);
    this.freeSlots.push(slot);
  }

  private order(sort: Sort): RowOrder {
    const key = JSON.stringify(sort);
    const order = this.orders.get(key) ?? new RowOrder(sort);
    order.refresh(this.rows.slots);
    this.orders.delete(key);
    this.orders.set(key, order);
    const [oldest] = this.orders.keys();
    if (this.orders.size > MAX_ORDERS && oldest !== undefined) this.orders.delete(oldest);
    return order;
  }
}
