import type { CatalogFrame, CatalogQuery, CatalogRow } from '../../../contract/catalog-view.ts';
import type { InsightFrame, InsightQuery, InsightRow } from '../../../contract/insight-view.ts';
import { dataClient } from '../../client/data-client.ts';
import type { WindowViewClient, WindowViewState } from '../../client/window-view-client.ts';
import { asCached } from '../../client/windows/window-views.ts';
import { useWindowLease, type ViewPool } from '../use-window-lease.ts';

export type CatalogViewState = WindowViewState<CatalogQuery, CatalogFrame, CatalogRow>;
type InsightViewState = WindowViewState<InsightQuery, InsightFrame, InsightRow>;

const NO_CATALOG: CatalogFrame = {
  isLoaded: false,
  hasAnalysis: false,
  hasChanges: false,
  rowCount: 0,
  itemCount: 0,
  totalCount: 0,
  health: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  types: [],
  statuses: [],
  tagKeys: [],
  facets: [],
};
const NO_INSIGHTS: InsightFrame = {
  isLoaded: false,
  rowCount: 0,
  totalCount: 0,
  types: [],
  analyzers: [],
  configTypes: [],
};

const CATALOG: ViewPool<
  CatalogQuery,
  CatalogViewState,
  WindowViewClient<CatalogQuery, CatalogFrame, CatalogRow>
> = {
  acquire: (query) =>
    dataClient().windows.acquire(query, {
      name: 'live-catalog',
      at: asCached,
      open: (asked, listener) => dataClient().askLive('live-catalog', asked, listener),
      emptyFrame: NO_CATALOG,
      parts: ['types', 'statuses', 'tagKeys', 'facets', 'health'],
      isPartial: ({ hasAnalysis, hasChanges }) => !hasAnalysis || !hasChanges,
    }),
  release: (view) => dataClient().windows.release(view),
};

const INSIGHTS: ViewPool<
  InsightQuery,
  InsightViewState,
  WindowViewClient<InsightQuery, InsightFrame, InsightRow>
> = {
  acquire: (query) =>
    dataClient().windows.acquire(query, {
      name: 'live-insights',
      at: asCached,
      open: (asked, listener) => dataClient().askLive('live-insights', asked, listener),
      emptyFrame: NO_INSIGHTS,
      parts: ['types', 'analyzers', 'configTypes'],
    }),
  release: (view) => dataClient().windows.release(view),
};

/** The catalog's front for a question, live: groups and items of this device, as they are shown. */
export function useCatalogView(query: CatalogQuery): CatalogViewState {
  return useWindowLease(query, CATALOG);
}

/** Open insights of this device with the items that they are about, live. */
export function useInsightView(query: InsightQuery): InsightViewState {
  return useWindowLease(query, INSIGHTS);
}
