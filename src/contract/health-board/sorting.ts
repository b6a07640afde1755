/** Order of the rows: by one column, unknown values last in either direction, ties in name order. */
import type { SortColumn } from '../worker.ts';
import { renewNumbers, type Changes } from '../../lib/list-cache.ts';
import type { Measures } from './measures.ts';

export interface SortOrder {
  by: SortColumn;
  isDescending: boolean;
}

/** Items in name order, and what they are sorted by. */
interface Sortable<Item> {
  items: readonly Item[];
  order: SortOrder;
  measure: (item: Item) => Measures;
}

/** An order, and what it was made of. */
export interface Ordered {
  /** Where the items stand in the list, as they are shown. */
  positions: Uint32Array;
  /** What they are sorted by, by position in the list; null for names, which are in order. */
  keys: Float64Array | null;
}

/** What an item is sorted by: what is not known is last in either direction. */
function keyOf<Item>({ order, measure }: Sortable<Item>, item: Item): number {
  const value = order.by === 'name' ? null : measure(item)[order.by];
  if (value === null) return Number.POSITIVE_INFINITY;
  return order.isDescending ? -value : value;
}

/** Two unknowns differ by NaN, which falls through to the position, as ties do: most checks are healthy. */
const byKeys = (keys: Float64Array) => (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b;

/** Sorts where the items stand. */
export function orderItems<Item>(sortable: Sortable<Item>): Ordered {
  const { items, order } = sortable;
  const positions = Uint32Array.from(items.keys());
  if (order.by === 'name')
    return { positions: order.isDescending ? positions.reverse() : positions, keys: null };
  const keys = new Float64Array(items.length);
  for (const [at, item] of items.entries()) keys[at] = keyOf(sortable, item);
  return { positions: positions.sort(byKeys(keys)), keys };
}

/** The order of a list in which these items are others: they alone are sorted, and put between the others. */
export function reorderItems<Item>(
  known: Ordered,
  sortable: Sortable<Item>,
  changes: Changes<Item>,
): Ordered {
  if (known.keys === null) return known;
  const keys = renewNumbers(known.keys.slice(), changes, (item) => keyOf(sortable, item));
  const compare = byKeys(keys);
  const moved = Uint32Array.from(changes.keys()).sort(compare);
  const positions = new Uint32Array(keys.length);
  let placed = 0;
  let end = 0;
  for (const at of known.positions) {
    if (changes.has(at)) continue;
    for (let next = moved[placed]; next !== undefined && compare(next, at) < 0; next = moved[placed]) {
      positions[end] = next;
      end += 1;
      placed += 1;
    }
    positions[end] = at;
    end += 1;
  }
  positions.set(moved.subarray(placed), end);
  return { positions, keys };
}

/** The items, sorted. */
export function sortItems<Item>(sortable: Sortable<Item>): readonly Item[] {
  const { items } = sortable;
  const { positions } = orderItems(sortable);
  return Array.from(positions, (at) => items[at]).filter((item): item is Item => item !== undefined);
}
