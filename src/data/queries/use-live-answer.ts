import { useMemo, useSyncExternalStore } from 'react';
import type { CollectionName } from '../../contract/collections.ts';
import type { LiveQuestion } from '../../contract/live-query.ts';
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
import { dataClient } from '../client/data-client.ts';
import type { LiveAnswer } from '../client/live-query-client.ts';
import { createSubscriptionStore } from '../client/subscription-store.ts';
import { LIVE_ROWS } from './use-live-query.ts';

/**
 * What a question finds, live: null until there is an answer to this very question, and for as long as nothing is
 * asked. A collection that nobody asks about is not read.
 */
export function useLiveAnswer<Collection extends CollectionName>(
  question: (LiveQuestion & { collection: Collection }) | null,
): LiveAnswer<CollectionRow<Collection>> | null {
  const text = question === null ? null : JSON.stringify(question);
  const store = useMemo(
    () =>
      createSubscriptionStore<LiveAnswer | null>(null, (set) => {
        if (text === null) return () => {};
        const client = dataClient().openDifferences(JSON.parse(text) as LiveQuestion, LIVE_ROWS, set);
        return () => client.close();
      }),
    [text],
  );
  // The worker made sure of the collection's columns.
  return useSyncExternalStore(store.subscribe, store.get) as LiveAnswer<CollectionRow<Collection>> | null;
}
