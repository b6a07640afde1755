/** Order of live rows by columns: numbers by size, text by code unit, unknown values last in either direction. */
import type { LiveQuestion } from '../../../src/contract/live-query.ts';
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

function compareBy(a: Entry, b: Entry, { field, isDescending }: Sort[number]): number {
  const [one, other] = [a.row[field], b.row[field]];
  if (one === other) return 0;
  if (!isScalar(one)) return isScalar(other) ? 1 : 0;
  if (!isScalar(other)) return -1;
  return isDescending ? compareScalars(other, one) : compareScalars(one, other);
}

/** Ties go by id, so that the order never wavers. */
export function comparatorOf(sort: Sort): (a: Entry, b: Entry) => number {
  return (a, b) => {
    for (const column of sort) {
      const found = compareBy(a, b, column);
      if (found !== 0) return found;
    }
    if (a.row.id === b.row.id) return 0;
    return a.row.id < b.row.id ? -1 : 1;
  };
}

/** Joins two lists that are in order. */
export function mergeSorted(
  many: readonly Entry[],
  few: readonly Entry[],
  compare: (a: Entry, b: Entry) => number,
): Entry[] {
  const merged: Entry[] = [];
  let at = 0;
  for (const entry of many) {
    for (let next = few[at]; next !== undefined && compare(next, entry) < 0; next = few[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(entry);
  }
  for (const entry of few.slice(at)) merged.push(entry);
  return merged;
}
