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
  /** The positions of all items, those of one group beside each other, in the list's order. */
  positions: Uint32Array;
  /** By group: where its own begin in `positions`; at the end, where the last one's end. */
  starts: Uint32Array;
}

/** At most a few are asked for of a list: its tabs and its groups, and what was chosen before. */
const MOST = 4;
const groupings = createListCache<unknown, Grouping>(MOST);

/** Counts the items of each group, and puts each item's position behind those of its group that were met before. */
function byGroup(groupAt: Uint32Array, groups: number): Pick<Grouping, 'positions' | 'starts'> {
  const starts = new Uint32Array(groups + 1);
  for (const place of groupAt) starts[place + 1] = (starts[place + 1] ?? 0) + 1;
  for (let place = 1; place <= groups; place += 1)
    starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0);
  const ends = starts.slice();
  const positions = new Uint32Array(groupAt.length);
  for (const [at, place] of groupAt.entries()) {
    const end = ends[place] ?? 0;
    positions[end] = at;
    ends[place] = end + 1;
  }
  return { positions, starts };
}

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
  return { keys: [...places.keys()], groupAt, ...byGroup(groupAt, places.size) };
}

/** Where the items of a group stand in the list, in its order. */
export const positionsIn = ({ positions, starts }: Grouping, place: number): Uint32Array =>
  positions.subarray(starts[place], starts[place + 1]);

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
