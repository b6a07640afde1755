import type { HealthFrame, HealthQuery, HealthRow } from '../../../contract/worker.ts';
import { healthAt } from '../../client/windows/cached-health.ts';
import { dataClient } from '../../client/data-client.ts';
import {
  EMPTY_FRAME,
  HEALTH_PARTS,
  type HealthViewClient,
  type HealthViewState,
} from '../../client/health-view-client.ts';
import type { WindowKind } from '../../client/windows/window-views.ts';
import { useWindowLease, type ViewPool } from '../use-window-lease.ts';

const HEALTH: WindowKind<HealthQuery, HealthFrame, HealthRow> = {
  name: 'live-health',
  open: (asked, listener) => dataClient().askLive('live-health', asked, listener),
  emptyFrame: EMPTY_FRAME,
  parts: HEALTH_PARTS,
  at: healthAt,
};

const VIEWS: ViewPool<HealthQuery, HealthViewState, HealthViewClient> = {
  acquire: (query) => dataClient().windows.acquire(query, HEALTH),
  release: (view) => dataClient().windows.release(view),
};

/**
 * The health board for a question, live: `frame` says everything around the rows, `getRow` gives a row (null
 * while it is on its way), `setVisibleRange` tells what is on screen. A changed question is asked at once.
 */
export function useHealthView(query: HealthQuery): HealthViewState {
  return useWindowLease(query, VIEWS);
}
