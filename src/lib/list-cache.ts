/**
 * What was worked out of a list, for as long as that list is asked about. A list that changes is another list; where it
 * was renewed of one before, an answer may follow from the answer to that one. Owns how many answers are remembered, and
 * nothing of what they are.
 */

/** The items that a renewed list has in the place of others, by their position. */
export type Changes<Item> = ReadonlyMap<number, Item>;

interface Renewal {
  before: readonly unknown[];
  changes: Changes<unknown>;
}

const renewals = new WeakMap<readonly unknown[], Renewal>();

/** The list with these items in the place of those at their positions. */
export function renewList<Item>(before: readonly Item[], changes: Changes<Item>): readonly Item[] {
  const next = [...before];
  for (const [at, item] of changes) next[at] = item;
  renewals.set(next, { before, changes });
  // Of many lists, each made of the one before, only the last two are held in memory.
  renewals.delete(before);
  return next;
}

/** What changed since the list `before`; null where the list was not renewed of that one. */
export function changesSince<Item>(before: readonly Item[], list: readonly Item[]): Changes<Item> | null {
  const renewal = renewals.get(list);
  // `renewList` was given both.
  return renewal?.before === before ? (renewal.changes as Changes<Item>) : null;
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
  /** From the answer to the list that this one was renewed of; null where that does not tell it. */
  follow?: (known: Value, changes: Changes<Item>) => Value | null;
}

/** `most` of the answers to a list are remembered; the same name is the same question. */
export function createListCache<Item, Value>(
  most: number,
): (list: readonly Item[], name: string, making: Making<Item, Value>) => Value {
  const known = new WeakMap<readonly unknown[], Map<string, Value>>();
  const followed = (list: readonly Item[], name: string, { follow }: Making<Item, Value>) => {
    const renewal = renewals.get(list);
    const before = renewal === undefined ? undefined : known.get(renewal.before)?.get(name);
    if (follow === undefined || renewal === undefined || before === undefined) return null;
    return follow(before, renewal.changes as Changes<Item>);
  };
  return (list, name, making) => {
    const ofList = known.get(list) ?? new Map<string, Value>();
    const found = ofList.get(name) ?? followed(list, name, making) ?? making.make();
    // The one asked for last is the last to go.
    ofList.delete(name);
    ofList.set(name, found);
    for (const oldest of [...ofList.keys()].slice(0, -most)) ofList.delete(oldest);
    known.set(list, ofList);
    return found;
  };
}
