/**
 * Keys for the elements of a list whose order changes under who looks at it. For as long as it is a list of the same, each
 * thing keeps its element: what is pressed stays what it was, or is gone; it never turns into something else under the
 * finger. A list of something else takes the elements that are there, because making new ones at each key of a search costs
 * more than filling them.
 */
import { useState } from 'react';

type KeysOf = (listOf: string, ids: readonly string[]) => readonly string[];

/** One for a list. */
export function createElementKeys(): KeysOf {
  let [made, before] = [0, ''];
  let order: readonly string[] = [];
  let known: ReadonlyMap<string, string> = new Map();
  const fresh = () => {
    made += 1;
    return String(made);
  };
  return (listOf, ids) => {
    const isSame = listOf === before;
    order = ids.map((id, at) => (isSame ? known.get(id) : order[at]) ?? fresh());
    known = new Map(ids.map((id, at) => [id, order[at] ?? '']));
    before = listOf;
    return order;
  };
}

/** See the head of this file; `listOf` says what it is a list of, `ids` are all different. */
export function useElementKeys(listOf: string, ids: readonly string[]): readonly string[] {
  const [keysOf] = useState(createElementKeys);
  return keysOf(listOf, ids);
}
