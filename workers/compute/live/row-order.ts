/** Order of live rows by columns: numbers by size, severities by weight, other text by code unit, unknown values last in either direction. */
import type { LiveQuestion } from '../../../src/contract/live-query.ts';
import { severityRank } from '../../../src/domain/catalog/severity.ts';
import type { Entry } from './entry.ts';

export type Sort = LiveQuestion['sort'];
type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareValues(a: unknown, b: unknown, isDescending: boolean): number {
  if (a === b) return 0;
  if (!isScalar(a)) return isScalar(b) ? 1 : 0;
  if (!isScalar(b)) return -1;
  return isDescending ? compareScalars(b, a) : compareScalars(a, b);
}

/** Words whose order isn't the alphabet's. */
function sortValue({ row }: Entry, field: string): unknown {
  const value = row[field];
  return field === 'severity' && typeof value === 'string' ? -severityRank(value) : value;
}

/** Ties go by id, so that the order never wavers. */
export function compareEntries(sort: Sort, a: Entry, b: Entry): number {
  for (const { field, isDescending } of sort) {
    const found = compareValues(sortValue(a, field), sortValue(b, field), isDescending);
    if (found !== 0) return found;
  }
  if (a.row.id === b.row.id) return 0;
  return a.row.id < b.row.id ? -1 : 1;
}

/** Rows by slot; null where none is. */
export type Slots = readonly (Entry | null)[];

/** With more changes than one row in so many, sorting anew is faster than putting them in their places. */
const SORT_SHARE = 20;
const NOWHERE = 0xffff_ffff;

/** A list without what is at some places, which come in order. */
function without(list: Uint32Array, places: readonly number[]): Uint32Array {
  const kept = new Uint32Array(list.length - places.length);
  let [from, to] = [0, 0];
  for (const place of [...places, list.length]) {
    kept.set(list.subarray(from, place), to);
    to += place - from;
    from = place + 1;
  }
  return kept;
}

/**
 * The slots of a collection in one order, kept in numbers alone: a list of objects in another order than they
 * lie in memory takes five times as long to go through.
 * Invariant: between two calls of `refresh` nothing changes.
 */
export class RowOrder {
  private readonly sort: Sort;
  private list: Uint32Array = new Uint32Array(0);
  private ranks = new Uint32Array(0);
  /** Slots that changed since; null before the first sorting. */
  private stale: Set<number> | null = null;

  constructor(sort: Sort) {
    this.sort = sort;
  }

  /** What is in that slot changed. */
  touch(slot: number): void {
    this.stale?.add(slot);
  }

  /** Puts what changed in its place. */
  refresh(slots: Slots): void {
    const { stale } = this;
    if (stale?.size === 0) return;
    if (stale === null || stale.size * SORT_SHARE > this.list.length) this.list = this.sorted(slots);
    else this.list = this.merged(slots, stale);
    this.stale = new Set();
    if (this.ranks.length < slots.length) this.ranks = new Uint32Array(slots.length);
    this.ranks.fill(NOWHERE);
    for (let rank = 0; rank < this.list.length; rank += 1) this.ranks[this.list[rank] ?? 0] = rank;
  }

  rankOf(slot: number): number {
    return this.ranks[slot] ?? NOWHERE;
  }

  slotAt(rank: number): number {
    return this.list[rank] ?? NOWHERE;
  }

  private sorted(slots: Slots): Uint32Array {
    const [first] = this.sort;
    const keys = slots.map((entry) => (first === undefined || !entry ? null : sortValue(entry, first.field)));
    const isDescending = first?.isDescending ?? false;
    const list = Uint32Array.from(slots.keys()).filter((slot) => slots[slot] !== null);
    return list.sort(
      (a, b) => compareValues(keys[a], keys[b], isDescending) || this.compare(slots[a], slots[b]),
    );
  }

  private merged(slots: Slots, stale: ReadonlySet<number>): Uint32Array {
    const gone = [...stale].map((slot) => this.rankOf(slot)).filter((rank) => rank !== NOWHERE);
    const kept = without(
      this.list,
      gone.toSorted((a, b) => a - b),
    );
    const fresh = [...stale]
      .filter((slot) => slots[slot] !== null)
      .toSorted((a, b) => this.compare(slots[a], slots[b]));
    const merged = new Uint32Array(kept.length + fresh.length);
    let from = 0;
    for (const [before, slot] of fresh.entries()) {
      const place = this.placeOf(slot, kept, slots);
      merged.set(kept.subarray(from, place), from + before);
      merged[place + before] = slot;
      from = place;
    }
    merged.set(kept.subarray(from), from + fresh.length);
    return merged;
  }

  /** Where a slot would be in a list that is in order. */
  private placeOf(slot: number, list: Uint32Array, slots: Slots): number {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.compare(slots[list[middle] ?? NOWHERE], slots[slot]) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  private compare(a: Entry | null | undefined, b: Entry | null | undefined): number {
    return a && b ? compareEntries(this.sort, a, b) : 0;
  }
}
