import type { CollectionName } from '../../contract/collections.ts';
import type { LivePatch, LiveQuestion } from '../../contract/live-query.ts';
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
import { dataClient } from '../client/data-client.ts';
import {
  cachedAs,
  NO_ANSWER,
  patched,
  type Differences,
  type LiveAnswer,
} from '../client/live-query-client.ts';
import { useAskableDifferences, useDifferences } from './use-differences.ts';

/** How live rows are asked for, and how their differences add up. */
export const LIVE_ROWS: Differences<LiveQuestion, LiveAnswer, LivePatch> = {
  open: (question, listener) => dataClient().askLive('live-rows', question, listener),
  empty: NO_ANSWER,
  patched,
};

/**
 * The same for the list of a page, which is cached for the next start. Not for what decides about something: its first
 * answer may be of the last visit.
 */
const CACHED_LIVE_ROWS: typeof LIVE_ROWS = { ...LIVE_ROWS, cached: cachedAs('live-rows') };

/**
 * Rows that pass, with this device's unsent commands on top, live; at most 100 of them, see `start` and `total`.
 * A changed question keeps showing the old answer until the new one is there; what is unchanged keeps its
 * reference.
 */
export function useLiveQuery<Collection extends CollectionName>(
  question: LiveQuestion & { collection: Collection },
): LiveAnswer<CollectionRow<Collection>> {
  // The worker made sure of the collection's columns.
  return useDifferences(question, LIVE_ROWS) as LiveAnswer<CollectionRow<Collection>>;
}

/** The list of a page, with `ask` for its search: the worker is asked before anything is drawn. Begins as it was last. */
export function useAskableLiveQuery<Collection extends CollectionName>(
  question: LiveQuestion & { collection: Collection },
): {
  answer: LiveAnswer<CollectionRow<Collection>>;
  ask: (question: LiveQuestion & { collection: Collection }) => void;
} {
  const { state, ask } = useAskableDifferences(question, CACHED_LIVE_ROWS);
  // The worker made sure of the collection's columns.
  return { answer: state as LiveAnswer<CollectionRow<Collection>>, ask };
}
