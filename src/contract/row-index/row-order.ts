/** Order of live rows by columns: numbers by size, severities by weight, other text by code unit, unknown values last in either direction. */
import type { LiveQuestion } from '../live-query.ts';
import { severityRank } from '../../domain/catalog/severity.ts';
import type { Column } from './column.ts';
import { sortedInSteps, type CompareSlots } from './sort-in-steps.ts';

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
function sortValue(value: unknown, field: string): unknown {
  return field === 'severity' && typeof value === 'string' ? -severityRank(value) : value;
}

/** What is put in order: rows by slot. */
export interface SortedRows {
  readonly slotCount: number;
  isTaken(slot: number): boolean;
  /** All slots with a row, in a list of the caller's own. */
  takenSlots(): Uint32Array;
  valueAt(slot: number, field: string): unknown;
  column(field: string): Column | undefined;
}

function compareIds(rows: SortedRows, a: number, b: number): number {
  const [x, y] = [rows.valueAt(a, 'id') as string, rows.valueAt(b, 'id') as string];
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

/** Ties go by id, so that the order never wavers. */
export function compareSlots(rows: SortedRows, sort: Sort, [a, b]: readonly [number, number]): number {
  for (const { field, isDescending } of sort) {
    const [x, y] = [sortValue(rows.valueAt(a, field), field), sortValue(rows.valueAt(b, field), field)];
    const found = compareValues(x, y, isDescending);
    if (found !== 0) return found;
  }
  return compareIds(rows, a, b);
}

/** The place of each value of a column among the others, by code; equal ones have the same. */
function ranksOf(column: Column, codeCount: number, { field, isDescending }: Sort[number]): Uint32Array {
  const values = Array.from({ length: codeCount }, (_, code) => sortValue(column.valueOfCode(code), field));
  const codes = Uint32Array.from(values.keys());
  codes.sort((a, b) => compareValues(values[a], values[b], isDescending));
  const ranks = new Uint32Array(codeCount);
  let rank = 0;
  for (let at = 1; at < codeCount; at += 1) {
    const [before, code] = [codes[at - 1] ?? 0, codes[at] ?? 0];
    if (compareValues(values[before], values[code], isDescending) !== 0) rank += 1;
    ranks[code] = rank;
  }
  return ranks;
}

/** The order by one column, for sorting very many. */
function columnOrder(rows: SortedRows, one: Sort[number]): CompareSlots {
  const { field, isDescending } = one;
  const column = rows.column(field);
  const codeCount = column?.codeCount ?? null;
  if (column !== undefined && codeCount !== null) {
    const ranks = ranksOf(column, codeCount, one);
    const keys = Uint32Array.from({ length: rows.slotCount }, (_, slot) => ranks[column.codeAt(slot)] ?? 0);
    return (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0);
  }
  const keys = Array.from({ length: rows.slotCount }, (_, slot) =>
    sortValue(rows.valueAt(slot, field), field),
  );
  return (a, b) => compareValues(keys[a], keys[b], isDescending);
}

/** The whole order, for sorting very many. */
function comparison(rows: SortedRows, sort: Sort): CompareSlots {
  const columns = sort.map((one) => columnOrder(rows, one));
  return (a, b) => {
    for (const compare of columns) {
      const found = compare(a, b);
      if (found !== 0) return found;
    }
    return compareIds(rows, a, b);
  };
}

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
 * The slots of a collection in one order, kept in numbers alone.
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
  refresh(rows: SortedRows): void {
    const { stale } = this;
    if (stale?.size === 0) return;
    const isAnew = stale === null || stale.size * SORT_SHARE > this.list.length;
    const list = isAnew ? rows.takenSlots().sort(comparison(rows, this.sort)) : this.merged(rows, stale);
    this.take(list, rows);
  }

  rankOf(slot: number): number {
    return this.ranks[slot] ?? NOWHERE;
  }

  slotAt(rank: number): number {
    return this.list[rank] ?? NOWHERE;
  }

  /** All slots in order; they are not to be changed. */
  slots(): Uint32Array {
    return this.list;
  }

  /** Sorts all of it before it is first asked for, in steps. */
  async prepare(rows: SortedRows, pause: () => Promise<void>): Promise<void> {
    const list = await sortedInSteps(rows.takenSlots(), comparison(rows, this.sort), pause);
    this.take(list, rows);
  }

  private take(list: Uint32Array, rows: SortedRows): void {
    this.list = list;
    this.stale = new Set();
    if (this.ranks.length < rows.slotCount) this.ranks = new Uint32Array(rows.slotCount);
    this.ranks.fill(NOWHERE);
    for (let rank = 0; rank < this.list.length; rank += 1) this.ranks[this.list[rank] ?? 0] = rank;
  }

  private merged(rows: SortedRows, stale: ReadonlySet<number>): Uint32Array {
    const gone = [...stale].map((slot) => this.rankOf(slot)).filter((rank) => rank !== NOWHERE);
    const kept = without(
      this.list,
      gone.toSorted((a, b) => a - b),
    );
    const fresh = [...stale]
      .filter((slot) => rows.isTaken(slot))
      .toSorted((a, b) => compareSlots(rows, this.sort, [a, b]));
    const merged = new Uint32Array(kept.length + fresh.length);
    let from = 0;
    for (const [before, slot] of fresh.entries()) {
      const place = this.placeOf(slot, kept, rows);
      merged.set(kept.subarray(from, place), from + before);
      merged[place + before] = slot;
      from = place;
    }
    merged.set(kept.subarray(from), from + fresh.length);
    return merged;
  }

  /** Where a slot would be in a list that is in order. */
  private placeOf(slot: number, list: Uint32Array, rows: SortedRows): number {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compareSlots(rows, this.sort, [list[middle] ?? NOWHERE, slot]) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
