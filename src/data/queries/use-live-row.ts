import { useMemo, useSyncExternalStore } from 'react';
import type { CollectionName, ReplicatedRow } from '../../contract/collections.ts';
import type { LiveQuestion, LiveRow } from '../../contract/live-query.ts';
import { dataClient } from '../client/data-client.ts';
import type { LiveAnswer } from '../client/live-query-client.ts';
import { LIVE_ROWS } from './use-live-query.ts';
import { createSubscriptionStore } from '../client/subscription-store.ts';

function questionFor(collection: CollectionName, id: string): LiveQuestion {
  return {
    collection,
    where: [{ field: 'id', op: 'eq', value: id }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: 1 },
  };
}

function rowOf(answer: LiveAnswer): LiveRow | null | undefined {
  return answer.rows[0] ?? (answer.isLoaded ? null : undefined);
}

/** One row, live; null when it isn't (or no longer) there, undefined until it was looked for. */
export function useLiveRow<Row = ReplicatedRow>(
  collection: CollectionName,
  id: string,
): LiveRow<Row> | null | undefined {
  const store = useMemo(
    () =>
      createSubscriptionStore<LiveRow | null | undefined>(undefined, (set) => {
        const client = dataClient().openDifferences(questionFor(collection, id), LIVE_ROWS, (answer) =>
          set(rowOf(answer)),
        );
        return () => client.close();
      }),
    [collection, id],
  );
  return useSyncExternalStore(store.subscribe, store.get) as LiveRow<Row> | null | undefined;
}
