/**
 * What is chosen of a list, as a value. What is chosen is named one by one, also where all that match a filter were
 * taken: a row that comes in later is not acted on because somebody chose before it was there.
 */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** From where a range goes: what was chosen or left last. */
  readonly anchor: string | null;
}

export const NOTHING_CHOSEN: Selection = { ids: new Set(), anchor: null };

/** Takes one in, or leaves it. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/**
 * Everything from the anchor to this one, both included, takes the state of the anchor: chosen with it, or left with it.
 * Without an anchor in the list it is that one alone.
 */
export function extended(selection: Selection, id: string, order: readonly string[]): Selection {
  const { ids, anchor } = selection;
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (anchor === null || from === -1 || to === -1) return toggled(selection, id);
  const next = new Set(ids);
  for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (ids.has(anchor)) next.add(one);
    else next.delete(one);
  }
  return { ids: next, anchor };
}

/** These on top of what is chosen. */
export function withAll({ ids, anchor }: Selection, more: Iterable<string>): Selection {
  return { ids: new Set([...ids, ...more]), anchor };
}

/** How much of some rows is chosen. */
export type Coverage = 'none' | 'some' | 'all';

/** How much of these is chosen. */
export function coverage({ ids }: Selection, of: readonly string[]): Coverage {
  const count = of.filter((id) => ids.has(id)).length;
  if (count === 0) return 'none';
  return count === of.length ? 'all' : 'some';
}

/** These as one: leaves them where all are chosen, else takes in those that are not; a range goes from the first. */
export function toggledAll(selection: Selection, these: readonly string[]): Selection {
  if (coverage(selection, these) !== 'all') {
    return { ids: new Set([...selection.ids, ...these]), anchor: these[0] ?? null };
  }
  const next = new Set(selection.ids);
  for (const id of these) next.delete(id);
  return { ids: next, anchor: null };
}
