/** Order of the rows: by one column, unknown values last in either direction, ties in name order. */
import type { SortColumn } from '../worker.ts';
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

/** Where the items stand in that order, of items that come in name order. */
export function positionsInOrder<Item>(
  inNameOrder: readonly Item[],
  order: SortOrder,
  measure: (item: Item) => Measures,
): Uint32Array {
  const positions = Uint32Array.from(inNameOrder.keys());
  if (order.by === 'name') return order.isDescending ? positions.reverse() : positions;
  const keys = numbersFor(inNameOrder, { by: order.by, isDescending: order.isDescending }, measure);
  // Two unknowns differ by NaN, which falls through to the position, as ties do: most checks are healthy.
  return positions.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
}

/** Sorts items that come in name order. */
export function sortItems<Item>(
  inNameOrder: readonly Item[],
  order: SortOrder,
  measure: (item: Item) => Measures,
): readonly Item[] {
  const positions = positionsInOrder(inNameOrder, order, measure);
  return Array.from(positions, (at) => inNameOrder[at]).filter((item): item is Item => item !== undefined);
}
