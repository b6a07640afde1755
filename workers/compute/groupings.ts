/**
 * Which group each check of a list is in, worked out once for a list and asked for at every key: a number for each
 * check instead of a text. A list that changes is another list.
 */
import type { Entry } from './check-index.ts';
import { createListCache } from './list-cache.ts';

export interface Grouping {
  /** The groups' keys, as they were met. */
  keys: readonly string[];
  /** By position in the list: where its group is in `keys`. */
  groupAt: Uint32Array;
}

/** At most a few are asked for of a list: its tabs and its groups, and what was chosen before. */
const MOST = 4;
const groupings = createListCache<readonly Entry[], Grouping>(MOST);

function makeGrouping(entries: readonly Entry[], keyOf: (entry: Entry) => string): Grouping {
  const places = new Map<string, number>();
  const groupAt = new Uint32Array(entries.length);
  for (const [at, entry] of entries.entries()) {
    const key = keyOf(entry);
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
export function groupingOf(
  entries: readonly Entry[],
  name: string,
  keyOf: (entry: Entry) => string,
): Grouping {
  return groupings(entries, name, () => makeGrouping(entries, keyOf));
}
