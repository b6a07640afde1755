/** What the catalog's front shows, from its link (spec 2 §2, contract §6.2, §19). */
import { isCatalogColumn, type CatalogColumn, type CatalogQuery } from '../../../contract/catalog-view.ts';
import { DEFAULT_GROUPS } from '../../../domain/catalog/grouping.ts';
import { wanted, type TriState } from '../../../domain/tri-state.ts';
import type { CatalogSearch } from '../search-schemas.ts';

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

/** What a link says. */
export function catalogState(search: CatalogSearch): CatalogState {
  const { sortBy = '' } = search;
  return {
    types: search.configType ?? search.type ?? {},
    search: search.search ?? '',
    sortBy: isCatalogColumn(sortBy) ? sortBy : 'type',
    isDescending: search.sortOrder === 'desc',
    groups: search.groupBy ?? null,
    labels: search.labels ?? {},
    status: search.status ?? {},
    health: search.health ?? {},
  };
}

/** The link of a state; undefined for what is as it starts. */
export function catalogLink(state: CatalogState): Required<CatalogSearch> {
  const { types, search, sortBy, isDescending, groups, labels, status, health } = state;
  return {
    configType: types,
    type: undefined,
    search,
    sortBy: sortBy === 'type' ? undefined : sortBy,
    sortOrder: isDescending ? 'desc' : undefined,
    groupBy: groups ?? undefined,
    labels,
    status,
    health,
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
