import type { HealthQuery } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';
import type { HealthViewClient, HealthViewState } from '../client/health-view-client.ts';
import { useWindowLease, type ViewPool } from './use-window-lease.ts';

/** One view is kept ready between two pages. */
const VIEWS: ViewPool<HealthQuery, HealthViewState, HealthViewClient> = {
  acquire: (query) => dataClient().acquireView(query),
  release: (view) => dataClient().releaseView(view),
};

/**
 * The health board for a question, live: `frame` says everything around the rows, `getRow` gives a row (null
 * while it is on its way), `setVisibleRange` tells what is on screen. A changed question is asked at once.
 */
export function useHealthView(query: HealthQuery): HealthViewState {
  return useWindowLease(query, VIEWS);
}
