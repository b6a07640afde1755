/**
 * Which group each item of a list is in, worked out once for a list and asked for at every key: a number for each
 * item instead of a text.
 */
import { createListCache } from './list-cache.ts';

export interface Grouping {
  /** The groups' keys, as they were met. */
  keys: readonly string[];
  /** By position in the list: where its group is in `keys`. */
  groupAt: Uint32Array;
}

/** At most a few are asked for of a list: its tabs and its groups, and what was chosen before. */
const MOST = 4;
const groupings = createListCache<unknown, Grouping>(MOST);

function makeGrouping<Item>(items: readonly Item[], keyOf: (item: Item) => string): Grouping {
  const places = new Map<string, number>();
  const groupAt = new Uint32Array(items.length);
  for (const [at, item] of items.entries()) {
    const key = keyOf(item);
    let place = places.get(key);
    if (place === undefined) {
      place = places.size;
      places.set(key, place);
    }
    groupAt[at] = place;
  }
  return { keys: [...places.keys()], groupAt };
}

/** `name` says what `keyOf` is: the same name is the same function. */
export function groupingOf<Item>(
  items: readonly Item[],
  name: string,
  keyOf: (item: Item) => string,
): Grouping {
  return groupings(items, name, {
    make: () => makeGrouping(items, keyOf),
    // What changed is nearly always something else of an item.
    follow: (known, changes) => {
      const isWhereItWas = (at: number, item: Item) => known.keys[known.groupAt[at] ?? -1] === keyOf(item);
      return Array.from(changes).every(([at, item]) => isWhereItWas(at, item as Item)) ? known : null;
    },
  });
}
