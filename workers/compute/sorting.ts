/** Order of the rows: by one column, unknown values last in either direction, ties in name order. */
import type { SortColumn } from '../../src/contract/worker.ts';
import type { Measures } from './measures.ts';

export interface SortOrder {
  by: SortColumn;
  isDescending: boolean;
}

function numbersFor<Item>(
  items: readonly Item[],
  by: Exclude<SortColumn, 'name'>,
  measure: (item: Item) => Measures,
): Float64Array {
  const out = new Float64Array(items.length);
  for (const [at, item] of items.entries()) out[at] = measure(item)[by] ?? Number.NaN;
  return out;
}

/** Sorts items that come in name order. */
export function sortItems<Item>(
  inNameOrder: readonly Item[],
  order: SortOrder,
  measure: (item: Item) => Measures,
): readonly Item[] {
  if (order.by === 'name') return order.isDescending ? inNameOrder.toReversed() : inNameOrder;
  const keys = numbersFor(inNameOrder, order.by, measure);
  const sign = order.isDescending ? -1 : 1;
  const positions = Uint32Array.from(inNameOrder.keys());
  // The position is the tie-breaker, and ties are the rule: most checks are healthy.
  positions.sort((a, b) => {
    const x = keys[a] ?? Number.NaN;
    const y = keys[b] ?? Number.NaN;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
  return Array.from(positions, (at) => inNameOrder[at]).filter((item): item is Item => item !== undefined);
}
