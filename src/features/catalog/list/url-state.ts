/**
 * The catalog's front as its query string (spec 2 §2, contract §6.2, §19). Invariants: what is parsed and written
 * again is the same; a value that isn't known is as good as absent; defaults are not written. `pageIndex` and
 * `pageSize` of former versions say nothing here: the list has no pages.
 */
import { isCatalogColumn, type CatalogColumn, type CatalogQuery } from '../../../contract/catalog-view.ts';
import { parseLabels, parseTypes, writeLabels, writeTypes } from '../../../domain/catalog/catalog-links.ts';
import { DEFAULT_GROUPS, parseGroups, writeGroups } from '../../../domain/catalog/grouping.ts';
import { parseTriState, wanted, writeTriState, type TriState } from '../../../domain/tri-state.ts';

export interface CatalogState {
  types: TriState;
  search: string;
  sortBy: CatalogColumn;
  isDescending: boolean;
  /** Null for the default of what is shown. */
  groups: readonly string[] | null;
  labels: TriState;
  status: TriState;
  health: TriState;
}

/** What the router holds. */
export interface CatalogSearch {
  configType?: string;
  search?: string;
  sortBy?: string;
  sortOrder?: string;
  groupBy?: string;
  labels?: string;
  status?: string;
  health?: string;
}

const MAX_TEXT = 4000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '');

export function parseCatalogSearch(search: Readonly<Record<string, unknown>>): CatalogState {
  const sortBy = textOf(search['sortBy']);
  return {
    types: parseTypes(textOf(search['configType']) || textOf(search['type'])),
    search: textOf(search['search']),
    sortBy: isCatalogColumn(sortBy) ? sortBy : 'type',
    isDescending: search['sortOrder'] === 'desc',
    groups: parseGroups(textOf(search['groupBy'])),
    labels: parseLabels(textOf(search['labels'])),
    status: parseTriState(textOf(search['status'])),
    health: parseTriState(textOf(search['health'])),
  };
}

const filled = (filter: TriState) => Object.keys(filter).length > 0;

export function writeCatalogSearch(state: CatalogState): CatalogSearch {
  const { types, search, sortBy, isDescending, groups, labels, status, health } = state;
  return {
    ...(filled(types) ? { configType: writeTypes(types) } : {}),
    ...(search === '' ? {} : { search }),
    ...(sortBy === 'type' ? {} : { sortBy }),
    ...(isDescending ? { sortOrder: 'desc' } : {}),
    ...(groups === null ? {} : { groupBy: writeGroups(groups) }),
    ...(filled(labels) ? { labels: writeLabels(labels) } : {}),
    ...(filled(status) ? { status: writeTriState(status) } : {}),
    ...(filled(health) ? { health: writeTriState(health) } : {}),
  };
}

/** Items are listed when a type or a search is chosen, or when nothing is grouped; else groups are (spec 2 §2). */
export function isListed(state: Pick<CatalogState, 'types' | 'search' | 'groups'>): boolean {
  return wanted(state.types).length > 0 || state.search.trim() !== '' || state.groups?.length === 0;
}

/** What only the type can be grouped by says nothing when one is chosen (contract §19.4). */
function groupsOf(state: CatalogState): readonly string[] {
  const isList = isListed(state);
  const groups = state.groups ?? (isList ? [] : DEFAULT_GROUPS);
  if (wanted(state.types).length !== 1) return groups;
  return groups.filter((by) => by !== 'type' && by !== 'config_class');
}

/** Groups that no filter can be made of open to show their items. */
export function opensToItems(by: string): boolean {
  return by === 'analysis' || by === 'changed';
}

export interface ViewHabits {
  hideDeleted: boolean;
  favorites: readonly string[];
  closed: readonly string[];
  wantsFacets: boolean;
}

/** The state as the worker's question. */
export function catalogQueryOf(state: CatalogState, habits: ViewHabits): CatalogQuery {
  const { types, search, sortBy, isDescending, labels, status, health } = state;
  const groupBy = groupsOf(state);
  return {
    types,
    search,
    sortBy,
    isDescending,
    labels,
    status,
    health,
    groupBy,
    hasItems: isListed(state) || groupBy.some(opensToItems),
    ...habits,
  };
}

/** How many filters narrow the list, besides the search. */
export function activeFilters({ types, labels, status, health }: CatalogState): number {
  return [types, labels, status, health].reduce((sum, filter) => sum + Object.keys(filter).length, 0);
}
