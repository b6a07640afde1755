/** This side of a query about the health board. */
import type { HealthFrame, HealthQuery, HealthRow } from '../../contract/worker.ts';
import { DEFAULT_GROUP_BY, DEFAULT_TAB_BY } from '../../domain/check/grouping.ts';
import { DEFAULT_TIME_RANGE } from '../../domain/time/ranges.ts';
import type { ViewKind, WindowViewClient, WindowViewState } from './window-view-client.ts';

export const EMPTY_FRAME: HealthFrame = {
  isLoaded: false,
  rowCount: 0,
  checkCount: 0,
  counts: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  shown: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  hiddenPassing: 0,
  tabs: [],
  facets: [],
  pivotColumns: [],
  summaryRange: '1h',
};

/** What the health page asks by default (spec 1 §9); asked before the page is there. */
export const FIRST_QUERY: HealthQuery = {
  hidePassing: true,
  query: '',
  labels: {},
  groupBy: DEFAULT_GROUP_BY,
  tabBy: DEFAULT_TAB_BY,
  tab: 'All',
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: DEFAULT_TIME_RANGE,
  expanded: [],
};

export const HEALTH_PARTS: ViewKind<HealthQuery, HealthFrame, HealthRow>['parts'] = [
  'facets',
  'tabs',
  'counts',
  'shown',
  'pivotColumns',
];

export type HealthViewState = WindowViewState<HealthQuery, HealthFrame, HealthRow>;
export type HealthViewClient = WindowViewClient<HealthQuery, HealthFrame, HealthRow>;
