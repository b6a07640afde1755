/** What the storage page shows of this device (design §4 law 14). */
import { COLLECTION_FACTS } from '../../../src/contract/collections.ts';
import type { StorageFacts } from '../../../src/contract/worker.ts';
import type { SyncPlatform } from '../platform.ts';
import type { UserSync } from '../user-sync.ts';

/** Sizes in bytes, as the browser estimates them; null where it doesn't say. */
export async function storageReport(
  platform: Pick<SyncPlatform, 'estimateStorage'>,
  user: UserSync,
  condition: StorageFacts['condition'],
): Promise<StorageFacts> {
  const [estimate, counts, outbox] = await Promise.all([
    platform.estimateStorage(),
    user.rowCounts(),
    user.outbox.items(),
  ]);
  return {
    ...estimate,
    collections: counts.map(({ name, rows }) => ({ name, rows, cap: COLLECTION_FACTS[name].cap })),
    outbox: outbox.length,
    condition,
  };
}
