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
  /** It could not be stored: nobody can have a parent that isn't there. */
  forget(id: string): void;
  /** Everything whose place was decided here. */
  placed(): ReadonlySet<string>;
  /** Takes the first candidate that is possible as the parent; says how many it had to pass over. */
  place(id: string, candidates: readonly string[]): number;
}

/** One for a run; ids are those of stored items. */
export function createPlacement(): Placement {
  const parents = new Map<string, string | null>();
  const placed = new Set<string>();
  const forgotten = new Set<string>();
  /** Who has been anybody's parent: below nobody else can a circle close. */
  const hadChildren = new Set<string>();

  const setParent = (id: string, parent: string | null) => {
    parents.set(id, parent);
    if (parent !== null) hadChildren.add(parent);
  };
  const parentOf = (id: string): string | null => {
    const parent = parents.get(id) ?? null;
    return parent === null || forgotten.has(parent) ? null : parent;
  };
  /** From the parent up to the root. */
  function* ancestorsOf(id: string): Generator<string, void> {
    for (let next = parentOf(id); next !== null; next = parentOf(next)) yield next;
  }
  const isBelow = (id: string, ancestor: string): boolean => {
    for (const step of ancestorsOf(id)) if (step === ancestor) return true;
    return false;
  };
  const isPossible = (child: string, parent: string): boolean =>
    child !== parent && !forgotten.has(parent) && !(hadChildren.has(child) && isBelow(parent, child));

  return {
    learn(id, path, parentId) {
      const chain = path === null || path === '' ? [] : path.split('.');
      const above = parentId === null ? [] : [...chain.filter((step) => step !== parentId), parentId];
      [...above, id].forEach((step, place, all) => {
        const parent = all[place - 1] ?? null;
        if (!parents.has(step) && (parent === null || isPossible(step, parent))) setParent(step, parent);
      });
    },
    parentOf,
    forget(id) {
      forgotten.add(id);
    },
    pathOf(id) {
      const nearest: string[] = [];
      for (const step of ancestorsOf(id)) if (nearest.push(step) === MAX_DEPTH) break;
      return nearest.toReversed().join('.');
    },
    placed: () => placed,
    place(id, candidates) {
      placed.add(id);
      // Its own place must not make its present parent look like a circle.
      parents.set(id, null);
      const place = candidates.findIndex((candidate) => isPossible(id, candidate));
      const parent = candidates[place];
      if (parent !== undefined) setParent(id, parent);
      return place === -1 ? candidates.length : place;
    },
  };
}
