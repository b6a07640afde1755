/** What a user of a device sees of incidents: rows of the store with the pending commands on top. */
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import { applyEdit, editedId, editsOf } from '../../src/contract/commands/pending-row.ts';
import { readCollection } from '../../workers/compute/live/read-collection.ts';
import type { SimDevice, Tab } from './sim-device.ts';

/** Rows of a collection as they are stored; null while its first load isn't in, or it can't be read. */
export async function storedRows(
  device: SimDevice,
  storeName: string,
  collection: CollectionName,
): Promise<ReplicatedRow[] | null> {
  try {
    const { isWhole, rows } = await readCollection({ idb: device.disk.raw(), storeName, collection });
    return isWhole ? rows : null;
  } catch (error) {
    // Damaged: nothing can be shown until the worker has made it anew.
    if (error instanceof SyntaxError) {
      device.reportDamage(storeName);
      return null;
    }
    throw error;
  }
}

/** The same with what this device has on its way. */
export async function shownRows(
  device: SimDevice,
  tab: Tab,
  collection: CollectionName,
): Promise<Map<string, ReplicatedRow>> {
  if (tab.session.kind !== 'signed-in') return new Map();
  const stored = (await storedRows(device, tab.session.user.storeName, collection)) ?? [];
  const rows = new Map(stored.map((row) => [row.id, row]));
  for (const edit of (tab.outbox?.items ?? []).flatMap(editsOf)) {
    if (edit.collection !== collection) continue;
    const id = editedId(edit);
    const after = applyEdit(rows.get(id) ?? null, edit);
    if (after === null) rows.delete(id);
    else rows.set(id, after);
  }
  return rows;
}
