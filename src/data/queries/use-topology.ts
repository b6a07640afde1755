import type { TopologyCard, TopologyFrame, TopologyQuery } from '../../contract/topology-view.ts';
import { dataClient } from '../client/data-client.ts';
import type { WindowViewClient, WindowViewState } from '../client/window-view-client.ts';
import { asCached } from '../client/window-views.ts';
import { useWindowLease, type ViewPool } from './use-window-lease.ts';

export type TopologyViewState = WindowViewState<TopologyQuery, TopologyFrame, TopologyCard>;

const NO_CARDS: TopologyFrame = {
  isLoaded: false,
  rowCount: 0,
  totalCount: 0,
  health: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  types: [],
  statuses: [],
  teams: [],
  agents: [],
  labels: [],
  headlines: [],
};

const CARDS: ViewPool<
  TopologyQuery,
  TopologyViewState,
  WindowViewClient<TopologyQuery, TopologyFrame, TopologyCard>
> = {
  acquire: (query) =>
    dataClient().windows.acquire(query, {
      name: 'live-topology',
      at: asCached,
      open: (asked, listener) => dataClient().askLive('live-topology', asked, listener),
      emptyFrame: NO_CARDS,
      parts: ['types', 'statuses', 'teams', 'agents', 'labels', 'headlines', 'health'],
    }),
  release: (view) => dataClient().windows.release(view),
};

/** Components of this device as cards, live. */
export function useTopologyView(query: TopologyQuery): TopologyViewState {
  return useWindowLease(query, CARDS);
}
