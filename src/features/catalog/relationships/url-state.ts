/**
 * What the relationships page keeps in the link (spec 3 §2; contract §6.3, §19.1, §19.2). Links of the client we
 * succeed are understood: `configTypes` with `__` for `::`, `tag=key__:__value`.
 */
import type { RelationSort } from '../../../contract/relations.ts';
import type { TriState } from '../../../domain/tri-state.ts';
import type { RelationsSearch } from '../search-schemas.ts';

export interface RelationsState {
  isIncoming: boolean;
  isOutgoing: boolean;
  isSoft: boolean;
  depth: number;
  types: TriState;
  labels: TriState;
  statuses: TriState;
  healths: TriState;
  tag: { key: string; value: string } | null;
  sortBy: RelationSort;
  isDescending: boolean;
}

export const MAX_DEPTH = 10;
const TAG_SEPARATOR = '__:__';
const SORTS: readonly RelationSort[] = ['name', 'type', 'status', 'health', 'changes', 'depth'];

function tagOf(text: string): RelationsState['tag'] {
  const at = text.indexOf(TAG_SEPARATOR);
  if (at <= 0) return null;
  return { key: text.slice(0, at), value: text.slice(at + TAG_SEPARATOR.length) };
}

/** What a link says; anything else is as it starts: outgoing, hard, all the way (spec 3 §2). */
export function relationsState(search: RelationsSearch): RelationsState {
  const { incoming = false, outgoing = true, depth = 0 } = search;
  const sortBy = SORTS.find((sort) => sort === search.sortBy) ?? 'tree';
  return {
    isIncoming: incoming,
    // While incoming is off, outgoing is on whatever the link says.
    isOutgoing: !incoming || outgoing,
    isSoft: search.relationship !== undefined,
    depth: depth >= 1 && depth <= MAX_DEPTH ? depth : MAX_DEPTH,
    types: search.configTypes ?? {},
    labels: search.labels ?? {},
    statuses: search.status ?? {},
    healths: search.health ?? {},
    tag: tagOf(search.tag ?? ''),
    sortBy,
    isDescending: sortBy !== 'tree' && search.sortOrder === 'desc',
  };
}

/** The link of a state; undefined where nothing differs from how it starts. */
export function relationsLink(state: RelationsState): Required<RelationsSearch> {
  const { tag } = state;
  return {
    incoming: state.isIncoming || undefined,
    outgoing: state.isOutgoing ? undefined : false,
    relationship: state.isSoft ? 'soft' : undefined,
    depth: state.depth === MAX_DEPTH ? undefined : state.depth,
    configTypes: state.types,
    labels: state.labels,
    status: state.statuses,
    health: state.healths,
    tag: tag === null ? undefined : `${tag.key}${TAG_SEPARATOR}${tag.value}`,
    sortBy: state.sortBy === 'tree' ? undefined : state.sortBy,
    sortOrder: state.isDescending ? 'desc' : undefined,
  };
}

/** Incoming turned on or off: off forces outgoing on (spec 3 §2). */
export function withIncoming(state: RelationsState, isIncoming: boolean): RelationsState {
  return { ...state, isIncoming, isOutgoing: isIncoming ? state.isOutgoing : true };
}

/** How many choices differ from how the page starts. */
export function choiceCount(state: RelationsState): number {
  const { isIncoming, isOutgoing, isSoft, depth } = state;
  return filterCount(state) + [isIncoming, !isOutgoing, isSoft, depth !== MAX_DEPTH].filter(Boolean).length;
}

/** How many filters narrow what is shown. */
export function filterCount({ types, labels, statuses, healths, tag }: RelationsState): number {
  const filters = [types, labels, statuses, healths].flatMap((filter) => Object.keys(filter));
  return filters.length + (tag === null ? 0 : 1);
}
