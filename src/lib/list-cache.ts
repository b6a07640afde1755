/**
 * What was worked out of a list, for as long as that list is asked about: a list that changes is another list. Owns how
 * many answers are remembered, and nothing of what they are.
 */

/** `most` of the answers to a list are remembered; the same name is the same question. */
export function createListCache<List extends object, Value>(
  most: number,
): (list: List, name: string, make: () => Value) => Value {
  const known = new WeakMap<List, Map<string, Value>>();
  return (list, name, make) => {
    const ofList = known.get(list) ?? new Map<string, Value>();
    const found = ofList.get(name) ?? make();
    // The one asked for last is the last to go.
    ofList.delete(name);
    ofList.set(name, found);
    for (const oldest of [...ofList.keys()].slice(0, -most)) ofList.delete(oldest);
    known.set(list, ofList);
    return found;
  };
}
