import { useSyncExternalStore } from 'react';
import { dataClient } from '../../client/data-client.ts';
import type { FailedCanaries } from '../../client/stored-failed-canaries.ts';

const NONE: FailedCanaries = { total: 0, canaries: [] };

/** Canaries that couldn't be loaded: how many, and the first of them at least. */
export function useFailedCanaries(): FailedCanaries {
  const { failedCanaries } = dataClient();
  return useSyncExternalStore(failedCanaries.subscribe, failedCanaries.get) ?? NONE;
}
