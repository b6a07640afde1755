/** This side of a query about the health board. */
import type { HealthFrame, HealthQuery, HealthRow } from '../../contract/worker.ts';
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

export const HEALTH_PARTS: ViewKind<HealthQuery, HealthFrame, HealthRow>['parts'] = [
  'facets',
  'tabs',
  'counts',
  'shown',
  'pivotColumns',
];

export type HealthViewState = WindowViewState<HealthQuery, HealthFrame, HealthRow>;
export type HealthViewClient = WindowViewClient<HealthQuery, HealthFrame, HealthRow>;
