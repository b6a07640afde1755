/** Which components stand right under which. */
import type { Component } from './component.ts';

/** Ids of the components right under each one. */
export type ChildIds = ReadonlyMap<string, readonly string[]>;

/** Children by parent and by selector, each once, in the order of the rows. */
export function childIdsOf(components: readonly Component[]): ChildIds {
  const known = new Set(components.map(({ id }) => id));
  const children = new Map<string, Set<string>>();
  const add = (parent: string, child: string) => {
    if (!known.has(parent) || !known.has(child) || parent === child) return;
    const under = children.get(parent) ?? new Set();
    children.set(parent, under.add(child));
  };
  for (const { id, parent_id: parent } of components) if (parent !== null) add(parent, id);
  for (const { id, children: related } of components) for (const child of related ?? []) add(id, child);
  return new Map([...children].map(([id, under]) => [id, [...under]]));
}

/** The component itself and everything under it. */
export function reachableFrom(id: string, childIds: ChildIds): Set<string> {
  const reached = new Set([id]);
  // A set that grows while it is walked: each id once.
  for (const next of reached) for (const child of childIds.get(next) ?? []) reached.add(child);
  return reached;
}
