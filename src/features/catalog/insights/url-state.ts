/** What the insights list shows, from its link (spec 3 §2, contract §6.4): a value that isn't known is as good as absent. */
import type { InsightColumn } from '../../../contract/insight-view.ts';
import type { InsightsSearch } from '../search-schemas.ts';

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

function chosen(found: string | undefined): string | null {
  return found === undefined || found === 'all' ? null : found;
}

/** Open insights unless the link says otherwise. */
export function insightState(search: InsightsSearch): InsightState {
  const { sortBy = '', sortOrder = 'desc' } = search;
  return {
    status: INSIGHT_STATUSES.find((known) => known === search.status) ?? 'open',
    severity: chosen(search.severity)?.toLowerCase() ?? null,
    type: chosen(search.type),
    analyzer: chosen(search.analyzer),
    component: chosen(search.component),
    configId: chosen(search.configId),
    configType: chosen(search.configType),
    sortBy: isColumn(sortBy) ? sortBy : DEFAULT_SORT,
    isDescending: sortOrder === 'desc',
  };
}

/** What another value of a filter changes in the link; null leaves it open. */
export function filterLink(name: InsightFilter | 'status' | 'search', value: string | null): InsightsSearch {
  return { pageIndex: undefined, [name]: value ?? undefined };
}

/** What dropping all filters changes in the link. */
export const NO_FILTERS: InsightsSearch = Object.fromEntries(
  [...FILTERS, 'status', 'search', 'pageIndex'].map((name) => [name, undefined]),
);

/** How many filters narrow the list. */
export function filterCount(state: InsightState): number {
  return FILTERS.filter((name) => state[name] !== null).length + (state.status === 'open' ? 0 : 1);
}

/** The status counts only where it isn't the one that is shown by itself. */
export const hasFilters = (state: InsightState): boolean => filterCount(state) > 0;
