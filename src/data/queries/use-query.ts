import { useMemo, useSyncExternalStore } from 'react';
import type {
  Answer,
  CachedQueryName,
  QueryArgs,
  QueryMessage,
  QueryResult,
} from '../../contract/queries/queries.ts';
import type { Cached } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';
import { NOTHING_YET, type Loadable } from '../client/loadable.ts';
import { createSubscriptionStore } from '../client/subscription-store.ts';

/**
 * A query of the registry: at once from this device where it was cached, then from the server, and again when it may
 * have changed. Null asks nothing.
 */
export function useQuery<Name extends CachedQueryName>(
  name: Name,
  args: QueryArgs<Name> | null,
): Loadable<QueryResult<Name>> {
  const text = JSON.stringify(args);
  const store = useMemo(
    () =>
      createSubscriptionStore<Loadable<QueryResult<Name>>>(NOTHING_YET, (set) => {
        if (args === null) return () => {};
        let kept: Cached<QueryResult<Name>> | null = null;
        const receive = (answer: Answer<Cached<QueryResult<Name>>>) => {
          if (answer.ok) kept = answer.value;
          set({ kept, error: answer.ok ? null : answer.error });
        };
        // What a message of a cached query is, for any of their names.
        return dataClient().ask(name, args, receive as (message: QueryMessage<Name>) => void);
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the arguments
    [name, text],
  );
  return useSyncExternalStore(store.subscribe, store.get);
}
