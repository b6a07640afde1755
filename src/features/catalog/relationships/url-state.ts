/**
 * What the relationships page keeps in the link (spec 3 §2; contract §6.3, §19.1, §19.2). Links of the client we
 * succeed are understood: `configTypes` with `__` for `::`, `tag=key__:__value`.
 */
import type { RelationSort } from '../../../contract/relations.ts';
import { parseTriState, writeTriState, type TriState } from '../../../domain/tri-state.ts';

/** As it stands in the query string; what is as it starts is left out. */
export interface RelationsSearch {
  incoming?: string;
  outgoing?: string;
  relationship?: string;
  depth?: string;
  configTypes?: string;
  labels?: string;
  status?: string;
  health?: string;
  tag?: string;
  sortBy?: string;
  sortOrder?: string;
}

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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function renamed(filter: TriState, rename: (key: string) => string): TriState {
  return Object.fromEntries(Object.entries(filter).map(([key, sign]) => [rename(key), sign]));
}

function depthOf(text: string): number {
  const depth = Number(text);
  return Number.isInteger(depth) && depth >= 1 && depth <= MAX_DEPTH ? depth : MAX_DEPTH;
}

function tagOf(text: string): RelationsState['tag'] {
  const at = text.indexOf(TAG_SEPARATOR);
  if (at <= 0) return null;
  return { key: text.slice(0, at), value: text.slice(at + TAG_SEPARATOR.length) };
}

/** Reads the query; anything else is as it starts: outgoing, hard, all the way (spec 3 §2). */
export function parseRelations(search: Readonly<Record<string, unknown>>): RelationsState {
  const isIncoming = textOf(search.incoming) === 'true';
  const sortBy = SORTS.find((sort) => sort === search.sortBy) ?? 'tree';
  return {
    isIncoming,
    // While incoming is off, outgoing is on whatever the link says.
    isOutgoing: !isIncoming || textOf(search.outgoing) !== 'false',
    isSoft: ['soft', 'both'].includes(textOf(search.relationship)),
    depth: depthOf(textOf(search.depth)),
    types: renamed(parseTriState(textOf(search.configTypes)), (type) => type.replaceAll('__', '::')),
    labels: parseTriState(textOf(search.labels)),
    statuses: parseTriState(textOf(search.status)),
    healths: parseTriState(textOf(search.health)),
    tag: tagOf(textOf(search.tag)),
    sortBy,
    isDescending: sortBy !== 'tree' && search.sortOrder === 'desc',
  };
}

/** The query for a state; empty where nothing differs from how it starts. */
export function writeRelations(state: RelationsState): RelationsSearch {
  const { tag } = state;
  const parts: Record<keyof RelationsSearch, string> = {
    incoming: state.isIncoming ? 'true' : '',
    outgoing: state.isOutgoing ? '' : 'false',
    relationship: state.isSoft ? 'soft' : '',
    depth: state.depth === MAX_DEPTH ? '' : String(state.depth),
    configTypes: writeTriState(renamed(state.types, (type) => type.replaceAll('::', '__'))),
    labels: writeTriState(state.labels),
    status: writeTriState(state.statuses),
    health: writeTriState(state.healths),
    tag: tag === null ? '' : `${tag.key}${TAG_SEPARATOR}${tag.value}`,
    sortBy: state.sortBy === 'tree' ? '' : state.sortBy,
    sortOrder: state.isDescending ? 'desc' : '',
  };
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''));
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
