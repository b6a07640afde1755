import { useMemo, useSyncExternalStore } from 'react';
import type { CheckView } from '../../../contract/worker.ts';
import { dataClient } from '../../client/data-client.ts';
import { createSubscriptionStore } from '../../client/subscription-store.ts';

/** A check with its health, live; null when it isn't (or no longer) there, undefined until it was looked for. */
export function useCheck(checkId: string): CheckView | null | undefined {
  const store = useMemo(
    () =>
      createSubscriptionStore<CheckView | null | undefined>(undefined, (set) => {
        const client = dataClient();
        return client.open.follow(client.askLive('live-check', { checkId }, set));
      }),
    [checkId],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
