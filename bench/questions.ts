/** What pages ask the compute worker when nothing is filtered yet. */
import type { CatalogQuery } from '../src/contract/catalog-view.ts';
import type { HealthQuery } from '../src/contract/worker.ts';

export const HEALTH: HealthQuery = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'canary_name',
  tabBy: 'namespace',
  tab: 'All',
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
};

export const CATALOG: CatalogQuery = {
  search: '',
  types: {},
  status: {},
  health: {},
  labels: {},
  hideDeleted: true,
  sortBy: 'type',
  isDescending: false,
  groupBy: [],
  hasItems: true,
  closed: [],
  favorites: [],
  wantsFacets: false,
};
