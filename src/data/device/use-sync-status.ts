import { useSyncExternalStore } from 'react';
import type { SyncStatus } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';

/** What the connectivity chip says. */
export function useSyncStatus(): SyncStatus {
  const { status } = dataClient();
  return useSyncExternalStore(status.subscribe, status.get);
}
