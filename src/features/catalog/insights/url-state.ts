/**
 * The insights list as its query string (spec 3 §2, contract §6.4). A value that isn't known is as good as absent;
 * `all` is not written.
 */
import type { InsightColumn } from '../../../contract/insight-view.ts';
import type { Search } from '../../../ui/tables/use-table-state.ts';

export const INSIGHT_STATUSES = ['open', 'resolved', 'silenced', 'all'] as const;
type InsightStatus = (typeof INSIGHT_STATUSES)[number];

const FILTERS = ['severity', 'type', 'analyzer', 'component', 'configId', 'configType'] as const;
export type InsightFilter = (typeof FILTERS)[number];

export interface InsightState extends Record<InsightFilter, string | null> {
  /** Open ones are on this device; of the others the server is asked. */
  status: InsightStatus;
  sortBy: InsightColumn;
  isDescending: boolean;
}

const COLUMNS: Record<InsightColumn, true> = {
  config: true,
  analysis_type: true,
  analyzer: true,
  severity: true,
  first_observed: true,
  last_observed: true,
};
const isColumn = (text: string): text is InsightColumn => Object.hasOwn(COLUMNS, text);
/** Contract §19.12. */
const DEFAULT_SORT: InsightColumn = 'first_observed';

function chosen(search: Search, name: string): string | null {
  const text = search[name] ?? '';
  return text === '' || text === 'all' ? null : text;
}

export function parseInsightSearch(search: Search): InsightState {
  const sortBy = search['sortBy'] ?? '';
  return {
    status: INSIGHT_STATUSES.find((known) => known === search['status']) ?? 'open',
    severity: chosen(search, 'severity')?.toLowerCase() ?? null,
    type: chosen(search, 'type'),
    analyzer: chosen(search, 'analyzer'),
    component: chosen(search, 'component'),
    configId: chosen(search, 'configId'),
    configType: chosen(search, 'configType'),
    sortBy: isColumn(sortBy) ? sortBy : DEFAULT_SORT,
    isDescending: search['sortOrder'] === undefined ? true : search['sortOrder'] === 'desc',
  };
}

/** The query string with another value of a filter; null leaves it open. */
export function withInsightFilter(search: Search, name: string, value: string | null): Search {
  const { [name]: _before, pageIndex: _page, ...rest } = search;
  return value === null || value === '' ? rest : { ...rest, [name]: value };
}

/** The query string without any filter. */
export function withoutFilters(search: Search): Search {
  const names: readonly string[] = [...FILTERS, 'status', 'search', 'pageIndex'];
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)));
}

/** How many filters narrow the list. */
export function filterCount(state: InsightState): number {
  return FILTERS.filter((name) => state[name] !== null).length + (state.status === 'open' ? 0 : 1);
}

export const hasFilters = (state: InsightState): boolean => filterCount(state) > 0;
