import { useMemo, useSyncExternalStore } from 'react';
import type { Transition } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';
import { createSubscriptionStore } from '../client/subscription-store.ts';

const NONE: Transition[] = [];

/** Checks that changed state within the last `sinceMs`, newest first, at most `limit`. */
export function useTransitions(question: { sinceMs: number; limit: number }): Transition[] {
  const { sinceMs, limit } = question;
  const store = useMemo(
    () =>
      createSubscriptionStore<Transition[]>(NONE, (set) => {
        const client = dataClient();
        return client.follow(client.askLive('live-transitions', { sinceMs, limit }, set));
      }),
    [sinceMs, limit],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
