/** Deleting a user's store while other tabs may still have it open (design §4 law 13). */
import { finishDeletions, removeLeftovers, type DeletionParts } from '../store/delete-store.ts';
import { leaderLockOf } from './leader.ts';
import type { SyncPlatform } from './platform.ts';

/** A tab that runs closes its store at once. */
const OTHERS_CLOSE_MS = 3000;

/**
 * Deletes what was marked once no other tab's worker syncs that store: it was told and closes. One that doesn't
 * answer loses the lock. Whatever a tab wrote in its last moment goes with the second round.
 */
export async function deleteWhenAlone(
  deletion: DeletionParts,
  platform: Pick<SyncPlatform, 'holdLock' | 'later'>,
  storeName: string | null,
): Promise<void> {
  if (storeName === null) return finishDeletions(deletion);
  const name = leaderLockOf(storeName);
  const patience = new AbortController();
  const cancel = platform.later(OTHERS_CLOSE_MS, () => patience.abort());
  const remove = () => finishDeletions(deletion);
  try {
    await platform.holdLock({ name, signal: patience.signal, steal: false }, remove);
  } catch (error) {
    if (!patience.signal.aborted) throw error;
    await platform.holdLock({ name, signal: patience.signal, steal: true }, remove);
  } finally {
    cancel();
  }
  await removeLeftovers(deletion, storeName);
}
