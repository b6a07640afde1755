/**
 * What was worked out of a list, for as long as somebody has that list. A list that changes is another list; of one that
 * was renewed, an answer may follow from the answer to an earlier one. Owns how many answers are remembered, and nothing
 * of what they are.
 */

/** The items that a list has in the place of others, by their position. */
export type Changes<Item> = ReadonlyMap<number, Item>;

/** A list and those that were renewed of it. All are of one length. */
type Series = object;

const series = new WeakMap<readonly unknown[], Series>();

function seriesOf(list: readonly unknown[]): Series {
  const found = series.get(list) ?? {};
  series.set(list, found);
  return found;
}

/** The list with these items in the place of those at their positions. */
export function renewList<Item>(before: readonly Item[], changes: Changes<Item>): readonly Item[] {
  const next = [...before];
  for (const [at, item] of changes) next[at] = item;
  series.set(next, seriesOf(before));
  return next;
}

interface Step {
  before: readonly unknown[];
  list: readonly unknown[];
  changes: Changes<unknown>;
}

/** What was found last in a series: several answers follow over the same step. */
const lastSteps = new WeakMap<Series, Step>();

function differences<Item>(before: readonly Item[], list: readonly Item[]): Changes<Item> {
  const last = lastSteps.get(seriesOf(list));
  // Of the same two lists, so of the same items.
  if (last?.before === before && last.list === list) return last.changes as Changes<Item>;
  const changes = new Map<number, Item>();
  // An iterator would take ten times as long, and this runs at every change.
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    if (item !== before[at] && item !== undefined) changes.set(at, item);
  }
  lastSteps.set(seriesOf(list), { before, list, changes });
  return changes;
}

/** What the list has other than `before`; null where neither was renewed of the other. */
export function changesSince<Item>(before: readonly Item[], list: readonly Item[]): Changes<Item> | null {
  return seriesOf(before) === seriesOf(list) ? differences(before, list) : null;
}

/** Puts the numbers of the items that changed among those of all items; answers the same array. */
export function renewNumbers<Numbers extends Uint8Array | Float64Array, Item>(
  numbers: Numbers,
  changes: Changes<Item>,
  numberOf: (item: Item) => number,
): Numbers {
  for (const [at, item] of changes) numbers[at] = numberOf(item);
  return numbers;
}

interface Making<Item, Value> {
  /** From the whole list. */
  make: () => Value;
  /** From the answer to an earlier list and what changed since; null where that does not tell it. */
  follow?: (known: Value, changes: Changes<Item>) => Value | null;
}

/** `most` of the answers to a list, and to those it was renewed of, are remembered; the same name is the same question. */
export function createListCache<Item, Value>(
  most: number,
): (list: readonly Item[], name: string, making: Making<Item, Value>) => Value {
  const known = new WeakMap<Series, Map<string, { list: readonly Item[]; value: Value }>>();
  return (list, name, { make, follow }) => {
    const ofSeries = known.get(seriesOf(list)) ?? new Map<string, { list: readonly Item[]; value: Value }>();
    const last = ofSeries.get(name);
    const value =
      last?.list === list
        ? last.value
        : ((last && follow?.(last.value, differences(last.list, list))) ?? make());
    // The one asked for last is the last to go.
    ofSeries.delete(name);
    ofSeries.set(name, { list, value });
    for (const oldest of [...ofSeries.keys()].slice(0, -most)) ofSeries.delete(oldest);
    known.set(seriesOf(list), ofSeries);
    return value;
  };
}
