import type { HealthQuery } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';
import type { HealthViewClient, HealthViewState } from '../client/health-view-client.ts';
import { useWindowLease, type Lending } from './use-window-lease.ts';

/** One view is kept ready between two pages. */
const LENDING: Lending<HealthQuery, HealthViewState, HealthViewClient> = {
  take: (query) => dataClient().takeView(query),
  giveBack: (view) => dataClient().giveBack(view),
};

/**
 * The health board for a question, live: `frame` says everything around the rows, `getRow` gives a row (null
 * while it is on its way), `setVisibleRange` tells what is on screen. A changed question is asked at once.
 */
export function useHealthView(query: HealthQuery): HealthViewState {
  return useWindowLease(query, LENDING);
}
