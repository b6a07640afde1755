/** What tiles ask this device. */
import type { HealthQuery } from '../../../contract/worker.ts';
import type { TopologyQuery } from '../../../contract/topology-view.ts';
import { ALL_TAB, DEFAULT_TAB_BY } from '../../../domain/check/grouping.ts';

/** All checks, what needs a look first. */
export const ALL_CHECKS: HealthQuery = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: DEFAULT_TAB_BY,
  tab: ALL_TAB,
  pivotBy: null,
  sortBy: 'health',
  sortDesc: true,
  timeRange: '1h',
  expanded: [],
};

/** The components right under one, what needs a look first. */
export const topologyUnder = (rootId: string | null): TopologyQuery => ({
  rootId,
  isFlat: false,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: true,
  sortBy: 'status',
  isDescending: true,
});

/** Statuses of incidents that somebody works on. */
export const OPEN_STATUSES = ['new', 'open', 'investigating', 'mitigated'] as const;
