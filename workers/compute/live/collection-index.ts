/**
 * The rows of one collection in memory, as they are shown: server rows with pending commands on top, sorted as
 * often as it is asked for. It knows no store and no clock.
 * Invariants: an entry that didn't change stays the same object; an order that is handed out never changes.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { entryOf, type Entry } from './entry.ts';
import type { ShownRows } from './overlay.ts';
import { comparatorOf, mergeSorted, type Sort } from './row-order.ts';

/** A row before and after; null where it wasn't shown. */
export interface EntryChange {
  before: Entry | null;
  after: Entry | null;
}

/** Sorted lists kept for the next question; more are seldom looked at at once. */
const MAX_ORDERS = 6;
/** With more changes than one in so many, sorting anew is faster than merging. */
const MERGE_SHARE = 8;

interface Order {
  sort: Sort;
  entries: readonly Entry[];
  /** Rows that changed since. */
  stale: Set<string>;
}

/** Rows that were read, ready to be taken. */
export interface PreparedRows {
  base: Map<string, ReplicatedRow>;
  shown: Map<string, Entry>;
}

/** About 20 ms of work between two pauses. */
const STEP_ROWS = 4000;

/** Makes rows ready in steps, so that questions about others are answered meanwhile. */
export async function prepareRows(
  rows: readonly ReplicatedRow[],
  pause: () => Promise<void>,
): Promise<PreparedRows> {
  const prepared: PreparedRows = { base: new Map(), shown: new Map() };
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % STEP_ROWS === 0) await pause();
    prepared.base.set(row.id, row);
    prepared.shown.set(row.id, entryOf(row, 'none'));
  }
  return prepared;
}

export class CollectionIndex {
  private readonly collection: CollectionName;
  private readonly overlay: ShownRows;
  private base = new Map<string, ReplicatedRow>();
  private shown = new Map<string, Entry>();
  /** By the sort's text, the one used last at the end. */
  private readonly orders = new Map<string, Order>();

  constructor(collection: CollectionName, overlay: ShownRows) {
    this.collection = collection;
    this.overlay = overlay;
  }

  get(id: string): Entry | null {
    return this.shown.get(id) ?? null;
  }

  /** All rows in no order that matters. */
  values(): Iterable<Entry> {
    return this.shown.values();
  }

  /** All rows in that order. */
  entries(sort: Sort): readonly Entry[] {
    const key = JSON.stringify(sort);
    const order = this.orders.get(key) ?? { sort, entries: [], stale: new Set(this.shown.keys()) };
    this.refreshOrder(order);
    this.orders.delete(key);
    this.orders.set(key, order);
    const [oldest] = this.orders.keys();
    if (this.orders.size > MAX_ORDERS && oldest !== undefined) this.orders.delete(oldest);
    return order.entries;
  }

  /** Takes what was read anew in the place of everything. */
  replaceAll({ base, shown }: PreparedRows): void {
    this.base = base;
    this.shown = shown;
    this.orders.clear();
    this.retouch(this.overlay.touchedIds(this.collection));
  }

  /** Rows that came from the server: deletes first, then upserts. */
  apply(change: { upserts: readonly ReplicatedRow[]; deletedIds: readonly string[] }): EntryChange[] {
    const ids = new Set(change.deletedIds);
    for (const id of change.deletedIds) this.base.delete(id);
    for (const row of change.upserts) {
      this.base.set(row.id, row);
      ids.add(row.id);
    }
    return this.retouch(ids);
  }

  /** Computes rows anew whose pending commands changed. */
  retouch(ids: Iterable<string>): EntryChange[] {
    const changes: EntryChange[] = [];
    for (const id of ids) {
      const before = this.shown.get(id) ?? null;
      const found = this.overlay.shown(this.base.get(id) ?? null, { collection: this.collection, id });
      const after = found === null ? null : entryOf(found.row, found.pending);
      if (before === null && after === null) continue;
      if (after === null) this.shown.delete(id);
      else this.shown.set(id, after);
      for (const order of this.orders.values()) order.stale.add(id);
      changes.push({ before, after });
    }
    return changes;
  }

  private refreshOrder(order: Order): void {
    if (order.stale.size === 0) return;
    const compare = comparatorOf(order.sort);
    if (order.stale.size * MERGE_SHARE > this.shown.size) {
      order.entries = [...this.shown.values()].toSorted(compare);
    } else {
      const kept = order.entries.filter((entry) => !order.stale.has(entry.row.id));
      const fresh = [...order.stale].flatMap((id) => this.shown.get(id) ?? []).toSorted(compare);
      order.entries = mergeSorted(kept, fresh, compare);
    }
    order.stale = new Set();
  }
}
