import { useSyncExternalStore } from 'react';
import type { CatchUpCard } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';

/** What happened while this device was away; null when there is nothing to tell. */
export function useCatchUp(): CatchUpCard | null {
  const { catchUp } = dataClient();
  return useSyncExternalStore(catchUp.subscribe, catchUp.get);
}
