/** What the cards show, from the link and what this device remembers (spec 2 §2). */
import type { TopologyQuery } from '../../contract/topology-view.ts';
import type { TriState } from '../../domain/tri-state.ts';
import { links } from '../../domain/links.ts';
import { componentSearch, type ComponentSearch, type TopologySearch } from './search-schemas.ts';
import { isDefaultSort, startsDescending, type CardSort } from './sort-preferences.ts';

export interface TopologyState extends CardSort {
  search: string;
  status: TriState;
  types: TriState;
  teams: TriState;
  agents: TriState;
  labels: TriState;
  hidesHidden: boolean;
}

/** Every component is shown. */
export const NO_FILTERS = {
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
} as const;

/** The order that a link names, else the one that is remembered. */
function sortOf({ sortBy, sortOrder }: TopologySearch, remembered: CardSort): CardSort {
  if (sortBy === undefined)
    return sortOrder === undefined ? remembered : { ...remembered, isDescending: sortOrder === 'desc' };
  return { sortBy, isDescending: sortOrder === undefined ? startsDescending(sortBy) : sortOrder === 'desc' };
}

/** What a link says. */
export function topologyState(search: TopologySearch, remembered: CardSort): TopologyState {
  return {
    search: search.search ?? '',
    status: search.status ?? {},
    types: search.type ?? {},
    teams: search.team ?? {},
    agents: search.agent_id ?? {},
    labels: search.labels ?? {},
    hidesHidden: search.showHiddenComponents === 'no',
    ...sortOf(search, remembered),
  };
}

/**
 * The link of a state; undefined for what is as it starts. Without an order in it the one that is remembered holds: the
 * default goes unsaid only where nothing else is remembered.
 */
export function topologyLink(state: TopologyState, remembered: CardSort): Required<TopologySearch> {
  const hasSort = !isDefaultSort(state) || !isDefaultSort(remembered);
  return {
    search: state.search,
    status: state.status,
    type: state.types,
    team: state.teams,
    agent_id: state.agents,
    labels: state.labels,
    showHiddenComponents: state.hidesHidden ? 'no' : undefined,
    sortBy: hasSort ? state.sortBy : undefined,
    sortOrder: hasSort ? (state.isDescending ? 'desc' : 'asc') : undefined,
  };
}

/** The state as the worker's question about the parts of a component, or about the top. */
export function topologyQueryOf(state: TopologyState, rootId: string | null): TopologyQuery {
  return { rootId, isFlat: false, ...state };
}

/** How many filters narrow the cards, besides the search. */
export function activeFilters({ status, types, teams, agents, labels, hidesHidden }: TopologyState): number {
  const signs = [status, types, teams, agents, labels].map((filter) => Object.keys(filter).length);
  return signs.reduce((sum, count) => sum + count, hidesHidden ? 1 : 0);
}

interface ComponentHrefOptions {
  search: ComponentSearch;
  /** The component that one comes from. */
  from: string | null;
  /** Where components are shown. */
  linkOf?: (id: string) => string;
}

/**
 * The address of a component from where one is: what narrows the cards goes along (spec 2 §2), what was searched does
 * not, since it was found.
 */
export function componentHref(
  componentId: string,
  { search, from, linkOf = links.component }: ComponentHrefOptions,
): string {
  const { search: _found, refererId: _before, ...kept } = search;
  const texts = componentSearch.format({ ...kept, ...(from === null ? {} : { refererId: from }) });
  const query = new URLSearchParams(texts).toString();
  return query === '' ? linkOf(componentId) : `${linkOf(componentId)}?${query}`;
}
