/** What filter menus offer: values with how many items have them. */
import type { ValueCount } from '../../../src/contract/catalog-view.ts';
import type { LabelFacet } from '../../../src/contract/worker.ts';

/** More help nobody; the most frequent are kept. */
const MAX_KEYS = 200;
const MAX_VALUES = 100;

/** What is empty or missing is no value. */
export function countInto(counts: Map<string, number>, value: string | null | undefined, more = 1): void {
  if (value === null || value === undefined || value === '') return;
  counts.set(value, (counts.get(value) ?? 0) + more);
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

/** In the order of their text. */
export function valueCounts(counts: ReadonlyMap<string, number>): ValueCount[] {
  return [...counts].toSorted(([a], [b]) => byText(a, b)).map(([value, total]) => ({ value, total }));
}

function valuesOf(keys: Map<string, Map<string, number>>, key: string): Map<string, number> {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const fresh = new Map<string, number>();
  keys.set(key, fresh);
  return fresh;
}

/** Labels and how often they occur: keys that most items have first; of each its most frequent values. */
export function facetsOf(
  labels: Iterable<readonly [Readonly<Record<string, string>>, number]>,
): LabelFacet[] {
  const keys = new Map<string, Map<string, number>>();
  for (const [map, count] of labels)
    for (const key in map) countInto(valuesOf(keys, key), String(map[key]), count);
  const found = [...keys].map(([key, values]) => ({
    key,
    all: [...values.values()].reduce((sum, total) => sum + total, 0),
    values: [...values]
      .toSorted(([a, x], [b, y]) => y - x || byText(a, b))
      .slice(0, MAX_VALUES)
      .map(([value, total]) => ({ value, total })),
  }));
  return found
    .toSorted((a, b) => b.all - a.all || byText(a.key, b.key))
    .slice(0, MAX_KEYS)
    .map(({ key, values }) => ({ key, values }));
}
