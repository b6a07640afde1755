/**
 * The rows of one collection in memory, as they are shown: server rows with pending commands on top, in columns, sorted
 * as often as it is asked for. It knows no store and no clock.
 * Invariants: an entry that was handed out is never changed; a row keeps its slot for as long as it is shown.
 */
import type { CollectionName, ReplicatedRow } from '../collections.ts';
import type { LiveQuestion, Pending } from '../live-query.ts';
import type { Slots } from './column.ts';
import { entryOf, type Entry } from './entry.ts';
import type { ShownRows } from './shown-rows.ts';
import { narrowed } from './row-filter.ts';
import { compareSlots, RowOrder, type Sort } from './row-order.ts';
import { RowTable } from './row-table.ts';

/** A row before and after; null where it wasn't shown. */
export interface EntryChange {
  before: Entry | null;
  after: Entry | null;
}

/** Orders kept for the next question; more are seldom looked at at once. */
const MAX_ORDERS = 6;
/** So few are put in order for one answer alone, where nobody keeps the order of all. */
const FEW = 500;
/** Rows that were built for the windows of late. */
const MAX_BUILT = 1000;

/** Rows that were read, ready to be taken. */
export interface PreparedRows {
  table: RowTable;
  /** By the sort's text. */
  orders: ReadonlyMap<string, RowOrder>;
}

/** What an index begins with. */
export function noRows(): PreparedRows {
  return { table: new RowTable(), orders: new Map() };
}

/** Rows between two pauses. */
const STEP_ROWS = 250;

/** Makes rows ready in steps, so that questions about others are answered meanwhile. */
export async function prepareRows(
  rows: readonly ReplicatedRow[],
  pause: () => Promise<void>,
): Promise<PreparedRows> {
  const prepared = noRows();
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % STEP_ROWS === 0) await pause();
    prepared.table.put(row);
  }
  return prepared;
}

/** Puts the rows of a table in order before anybody asks, in steps. */
export async function prepareOrders(
  table: RowTable,
  sorts: Iterable<Sort>,
  pause: () => Promise<void>,
): Promise<PreparedRows> {
  const orders = new Map<string, RowOrder>();
  for (const sort of sorts) {
    const order = new RowOrder(sort);
    await order.prepare(table, pause);
    orders.set(JSON.stringify(sort), order);
  }
  return { table, orders };
}

type GroupValue = string | number | boolean | null;

interface Found {
  total: number;
  /** Of the column that is grouped by. */
  counts: ReadonlyMap<GroupValue, number>;
  /** Of the window, in order. */
  entries: Entry[];
}

function groupValue(value: unknown): GroupValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** One for a collection that somebody asks about. */
export class CollectionIndex {
  private readonly collection: CollectionName;
  private readonly overlay: ShownRows;
  private rows = new RowTable();
  /** Server rows that are shown otherwise or not at all; null where the server has none. */
  private readonly bases = new Map<string, ReplicatedRow | null>();
  private readonly pending = new Map<number, Pending>();
  private readonly built = new Map<number, Entry>();
  /** By the sort's text, the one used last at the end. */
  private readonly orders = new Map<string, RowOrder>();

  constructor(collection: CollectionName, overlay: ShownRows) {
    this.collection = collection;
    this.overlay = overlay;
  }

  /** What is shown, in columns; another one after rows were read anew. */
  get table(): RowTable {
    return this.rows;
  }

  get(id: string): Entry | null {
    const slot = this.rows.slotOf(id);
    return slot === undefined ? null : this.entryAt(slot);
  }

  /** Tells `visit` every row, in no order that matters. */
  each(visit: (entry: Entry) => void): void {
    for (let slot = 0; slot < this.rows.slotCount; slot += 1) {
      const entry = this.build(slot);
      if (entry !== null) visit(entry);
    }
  }

  /** All slots in an order; not to be changed. */
  inOrder(sort: Sort): Slots {
    return this.order(sort).slots();
  }

  /** All rows that pass are counted, and the window is cut from them in order. */
  find({ where, search, sort, groupBy, window }: Omit<LiveQuestion, 'collection'>): Found {
    const found = narrowed(this.rows, this.candidates(where), { where, search });
    const counts = new Map<GroupValue, number>();
    if (groupBy !== null) {
      for (const [value, count] of this.rows.count(found, groupBy)) {
        const group = groupValue(value);
        counts.set(group, (counts.get(group) ?? 0) + count);
      }
    }
    const slots = window.end > window.start ? this.cut(found, sort, window) : [];
    return { total: found.length, counts, entries: slots.flatMap((slot) => this.entryAt(slot) ?? []) };
  }

  /** The orders that were asked for of late. */
  sorts(): Sort[] {
    return [...this.orders.keys()].map((key) => JSON.parse(key) as Sort);
  }

  /** Takes what was read anew in the place of everything. */
  replaceAll({ table, orders }: PreparedRows): void {
    this.rows = table;
    this.bases.clear();
    this.pending.clear();
    this.built.clear();
    this.orders.clear();
    for (const [key, order] of orders) this.orders.set(key, order);
    this.recompute(this.overlay.touchedIds(this.collection));
  }

  /** Rows that came from the server: deletes first, then upserts. */
  apply(change: { upserts: readonly ReplicatedRow[]; deletedIds: readonly string[] }): EntryChange[] {
    const bases = new Map<string, ReplicatedRow | null>();
    for (const id of change.deletedIds) bases.set(id, null);
    for (const row of change.upserts) bases.set(row.id, row);
    return this.show(bases);
  }

  /** Computes rows anew whose pending commands changed. */
  recompute(ids: Iterable<string>): EntryChange[] {
    const bases = new Map<string, ReplicatedRow | null>();
    for (const id of ids) bases.set(id, this.baseOf(id));
    return this.show(bases);
  }

  private baseOf(id: string): ReplicatedRow | null {
    return this.bases.get(id) ?? (this.bases.has(id) ? null : (this.get(id)?.row ?? null));
  }

  private show(bases: ReadonlyMap<string, ReplicatedRow | null>): EntryChange[] {
    const changes: EntryChange[] = [];
    for (const [id, base] of bases) {
      const before = this.get(id);
      const found = this.overlay.shown(base, { collection: this.collection, id });
      const isAsIs = found === null ? base === null : found.row === base && found.pending === 'none';
      if (isAsIs) this.bases.delete(id);
      else this.bases.set(id, base);
      if (before === null && found === null) continue;
      const after = found === null ? null : entryOf(found.row, found.pending);
      this.put(id, after);
      changes.push({ before, after });
    }
    return changes;
  }

  private put(id: string, entry: Entry | null): void {
    const slot = entry === null ? this.rows.remove(id) : this.rows.put(entry.row);
    if (slot === undefined) return;
    this.built.delete(slot);
    if (entry === null || entry.pending === 'none') this.pending.delete(slot);
    else this.pending.set(slot, entry.pending);
    for (const order of this.orders.values()) order.touch(slot);
  }

  private build(slot: number): Entry | null {
    const row = this.rows.rowAt(slot);
    return row === null ? null : entryOf(row, this.pending.get(slot) ?? 'none');
  }

  private entryAt(slot: number): Entry | null {
    const known = this.built.get(slot);
    if (known !== undefined) return known;
    const entry = this.build(slot);
    if (this.built.size >= MAX_BUILT) this.built.clear();
    if (entry !== null) this.built.set(slot, entry);
    return entry;
  }

  /** Slots that can pass: a question may name the rows. */
  private candidates(where: LiveQuestion['where']): Slots {
    const byId = where.find(({ op, field }) => field === 'id' && (op === 'eq' || op === 'in'));
    if (byId !== undefined) {
      const ids = new Set<unknown>('values' in byId ? byId.values : [byId.value]);
      return Uint32Array.from(
        [...ids].flatMap((id) => (typeof id === 'string' ? (this.rows.slotOf(id) ?? []) : [])),
      );
    }
    return this.rows.takenSlots();
  }

  /** The window of what was found. */
  private cut(found: Slots, sort: Sort, window: LiveQuestion['window']): number[] {
    if (found.length <= FEW && !this.orders.has(JSON.stringify(sort))) {
      const inOrder = found.toSorted((a, b) => compareSlots(this.rows, sort, [a, b]));
      return [...inOrder.subarray(window.start, window.end)];
    }
    const order = this.order(sort);
    const isAtRank = new Uint8Array(order.slots().length);
    for (const slot of found) isAtRank[order.rankOf(slot)] = 1;
    const cut: number[] = [];
    let seen = 0;
    for (
      let rank = isAtRank.indexOf(1);
      rank >= 0 && seen < window.end;
      rank = isAtRank.indexOf(1, rank + 1)
    ) {
      if (seen >= window.start) cut.push(order.slotAt(rank));
      seen += 1;
    }
    return cut;
  }

  private order(sort: Sort): RowOrder {
    const key = JSON.stringify(sort);
    const order = this.orders.get(key) ?? new RowOrder(sort);
    order.refresh(this.rows);
    this.orders.delete(key);
    this.orders.set(key, order);
    const [oldest] = this.orders.keys();
    if (this.orders.size > MAX_ORDERS && oldest !== undefined) this.orders.delete(oldest);
    return order;
  }
}
