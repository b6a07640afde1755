import type { CollectionName } from '../../contract/collections.ts';
import type { LivePatch, LiveQuestion } from '../../contract/live-query.ts';
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
import { dataClient } from '../client/data-client.ts';
import {
  isBetween,
  NO_ANSWER,
  patched,
  type Differences,
  type LiveAnswer,
} from '../client/live-query-client.ts';
import { useDifferences } from './use-differences.ts';

/** How live rows are asked for, and how their differences add up. */
export const LIVE_ROWS: Differences<LiveQuestion, LiveAnswer, LivePatch> = {
  open: (question, listener) => dataClient().askLive('live-rows', question, listener),
  empty: NO_ANSWER,
  patched,
  isBetween,
};

/**
 * Rows that pass, with this device's unsent commands on top, live; at most 100 of them, see `start` and `total`.
 * A changed question keeps showing the old answer until the new one is there, and so does one whose rows are read anew:
 * what is typed in a row stays. What is unchanged keeps its reference.
 */
export function useLiveQuery<Collection extends CollectionName>(
  question: LiveQuestion & { collection: Collection },
): LiveAnswer<CollectionRow<Collection>> {
  // The worker made sure of the collection's columns.
  return useDifferences(question, LIVE_ROWS) as LiveAnswer<CollectionRow<Collection>>;
}
