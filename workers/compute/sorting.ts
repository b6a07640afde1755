/** Order of the rows: by one column, unknown values last in either direction, ties in name order. */
import type { SortColumn } from '../../src/contract/worker.ts';
import type { Measures } from './measures.ts';

export interface SortOrder {
  by: SortColumn;
  isDescending: boolean;
}

function numbersFor<Item>(
  items: readonly Item[],
  order: { by: Exclude<SortColumn, 'name'>; isDescending: boolean },
  measure: (item: Item) => Measures,
): Float64Array {
  const sign = order.isDescending ? -1 : 1;
  const out = new Float64Array(items.length);
  for (const [at, item] of items.entries()) {
    const value = measure(item)[order.by];
    out[at] = value === null ? Number.POSITIVE_INFINITY : sign * value;
  }
  return out;
}

/** Sorts items that come in name order. */
export function sortItems<Item>(
  inNameOrder: readonly Item[],
  order: SortOrder,
  measure: (item: Item) => Measures,
): readonly Item[] {
  if (order.by === 'name') return order.isDescending ? inNameOrder.toReversed() : inNameOrder;
  const keys = numbersFor(inNameOrder, { by: order.by, isDescending: order.isDescending }, measure);
  const positions = Uint32Array.from(inNameOrder.keys());
  // Two unknowns differ by NaN, which falls through to the position, as ties do: most checks are healthy.
  positions.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  return Array.from(positions, (at) => inNameOrder[at]).filter((item): item is Item => item !== undefined);
}
