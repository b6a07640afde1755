import { useSyncExternalStore } from 'react';
import type { FailedCanary } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';

/** Canaries that couldn't be loaded. */
export function useFailedCanaries(): FailedCanary[] {
  const { failedCanaries } = dataClient();
  return useSyncExternalStore(failedCanaries.subscribe, failedCanaries.get);
}
