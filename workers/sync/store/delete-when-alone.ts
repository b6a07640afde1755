/** Deleting a user's store while other tabs may still have it open (design §4 law 13). */
import { finishDeletions, removeIfGone, type DeletionParts } from '../../store/delete-store.ts';
import { leaderLockOf } from '../tabs/leader.ts';
import type { SyncPlatform } from '../platform.ts';

/** A tab that runs closes its store at once. */
const OTHERS_CLOSE_MS = 3000;
/** Until every tab that runs has heard of it and closed its store. */
const OTHERS_HEAR_MS = 250;

type Parts = Pick<SyncPlatform, 'holdLock' | 'later'>;

/** Deletes what was marked while no tab's worker syncs that store. One that doesn't let go loses the lock. */
export async function deleteWhileAlone(
  deletion: DeletionParts,
  platform: Parts,
  storeName: string,
): Promise<void> {
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
}

/** The same for good: whatever a tab wrote in its last moment goes with the second round. */
export async function deleteWhenAlone(
  deletion: DeletionParts,
  platform: Parts,
  storeName: string | null,
): Promise<void> {
  if (storeName === null) return finishDeletions(deletion);
  await deleteWhileAlone(deletion, platform, storeName);
  await new Promise<void>((resolve) => void platform.later(OTHERS_HEAR_MS, resolve));
  await removeIfGone(deletion, storeName);
}
