import { useMemo, useSyncExternalStore } from 'react';
import type { CollectionName } from '../../contract/collections.ts';
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
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

/**
 * One row, live; null when it isn't (or no longer) there, undefined until it was looked for. While it is looked for
 * anew it is what it was last: a form or a dialog over it stays, with what was typed.
 */
export function useLiveRow<Collection extends CollectionName>(
  collection: Collection,
  id: string,
): LiveRow<CollectionRow<Collection>> | null | undefined {
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
  // The worker made sure of the collection's columns.
  return useSyncExternalStore(store.subscribe, store.get) as
    | LiveRow<CollectionRow<Collection>>
    | null
    | undefined;
}
