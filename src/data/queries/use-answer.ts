import { useMemo, useSyncExternalStore } from 'react';
import type { Remote } from 'comlink';
import type { SyncApi } from '../../../workers/sync/api.ts';
import type { Kept } from '../../contract/worker.ts';
import { dataClient, NOTHING_YET, type Answer, type Loadable } from '../client/data-client.ts';
import { createSubscriptionStore } from '../client/subscription-store.ts';
import { callback } from '../client/workers-proxy.ts';

type Ask<T> = (sync: Remote<SyncApi>, listener: (found: Answer<Kept<T>>) => void) => Promise<() => unknown>;

/** A standing question to the sync worker. `key` says when it is another question; null asks nothing. */
export function useAnswer<T>(key: string | null, ask: Ask<T>): Loadable<T> {
  const store = useMemo(
    () =>
      createSubscriptionStore<Loadable<T>>(NOTHING_YET, (set) => {
        if (key === null) return () => {};
        const client = dataClient();
        let kept: Kept<T> | null = null;
        const receive = (found: Answer<Kept<T>>) => {
          if (found.ok) kept = found.value;
          set({ kept, error: found.ok ? null : found.error });
        };
        return client.follow(ask(client.doors.sync, callback(receive)));
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for what `ask` closes over
    [key],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
