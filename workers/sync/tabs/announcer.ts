/** Tells the readers of a store which rows were made durable, numbered so that a reader notices a gap. */
import type { StoreChange } from '../../../src/contract/worker.ts';
import type { SyncPlatform } from '../platform.ts';

export type Announce = (
  collection: string,
  change: { upserts?: readonly unknown[]; deletedIds?: readonly string[]; isReset?: boolean },
) => void;

/** `onAnnounced` is for this thread, which doesn't hear its own messages. */
export function createAnnouncer(
  platform: SyncPlatform,
  storeName: string,
  onAnnounced: (change: StoreChange) => void,
): Announce {
  const sender = platform.newId();
  let sequence = 0;
  return (collection, { upserts = [], deletedIds = [], isReset = false }) => {
    sequence += 1;
    const message: StoreChange = {
      storeName,
      collection,
      sequence,
      sender,
      upserts: [...upserts],
      deletedIds: [...deletedIds],
      isReset,
    };
    platform.announce(message);
    onAnnounced(message);
  };
}
