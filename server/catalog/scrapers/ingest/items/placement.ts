/**
 * The tree of items while a run is being stored: who is whose parent, and the path to it (schema §5.3, Parent/path).
 * Pure; knows only what it was told. Invariant: following parents always ends, so a candidate that would close a
 * circle is passed over.
 */

/** An index entry holds a path of some 70 ids; of a deeper one the nearest ancestors are kept. */
const MAX_DEPTH = 60;

export interface Placement {
  /** A stored item and the chain above it; what was placed already stays. */
  learn(id: string, path: string | null, parentId: string | null): void;
  parentOf(id: string): string | null;
  /** Ids from the root to the parent, joined by dots; empty for a root. */
  pathOf(id: string): string;
  /** Everything whose place was decided here. */
  placed(): ReadonlySet<string>;
  /** Takes the first candidate that is possible as the parent; says how many it had to pass over. */
  place(id: string, candidates: readonly string[]): number;
}

/** One for a run; ids are those of stored items. */
export function createPlacement(): Placement {
  const parents = new Map<string, string | null>();
  const placed = new Set<string>();

  /** From the parent up to the root. */
  const ancestorsOf = (id: string): string[] => {
    const chain: string[] = [];
    let next = parents.get(id) ?? null;
    while (next !== null) {
      chain.push(next);
      next = parents.get(next) ?? null;
    }
    return chain;
  };
  const isPossible = (child: string, parent: string): boolean =>
    child !== parent && !ancestorsOf(parent).includes(child);

  return {
    learn(id, path, parentId) {
      const chain = path === null || path === '' ? [] : path.split('.');
      const above = parentId === null ? [] : [...chain.filter((step) => step !== parentId), parentId];
      [...above, id].forEach((step, place, all) => {
        const parent = all[place - 1] ?? null;
        if (!parents.has(step) && (parent === null || isPossible(step, parent))) parents.set(step, parent);
      });
    },
    parentOf: (id) => parents.get(id) ?? null,
    pathOf: (id) => ancestorsOf(id).slice(0, MAX_DEPTH).toReversed().join('.'),
    placed: () => placed,
    place(id, candidates) {
      placed.add(id);
      // Its own place must not make its present parent look like a circle.
      parents.set(id, null);
      const place = candidates.findIndex((candidate) => isPossible(id, candidate));
      const parent = candidates[place];
      if (parent !== undefined) parents.set(id, parent);
      return place === -1 ? candidates.length : place;
    },
  };
}
