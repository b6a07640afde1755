/**
 * Deleting what is kept of a user (design §4 law 13). The intent is written first, so that a deletion that
 * was cut short is finished at the next start, before anything else is opened.
 */
import { Dexie } from 'dexie';
import type { KeyValue } from './key-value.ts';
import { rxdbDbName, rxdbInternalDbName } from './rxdb-raw.ts';
import { metaDbName, packedDbName } from './store-names.ts';

const WIPES = 'wipes';

/** Every collection that a store may hold; a new one is added here, so that it is deleted, too. */
export const RXDB_COLLECTIONS = ['checks', 'canaries'] as const;
export const PACKED_COLLECTIONS = ['checks', 'check_statuses', 'documents'] as const;

function databasesOf(storeName: string): string[] {
  return [
    ...RXDB_COLLECTIONS.map((name) => rxdbDbName(storeName, name)),
    rxdbInternalDbName(storeName),
    ...PACKED_COLLECTIONS.map((name) => packedDbName(storeName, name)),
    metaDbName(storeName),
  ];
}

async function pendingWipes(device: KeyValue): Promise<string[]> {
  const value = await device.get(WIPES);
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}

/** Notes that a store must go. From here on it is never shown again, whatever happens. */
export async function markForDeletion(device: KeyValue, storeName: string): Promise<void> {
  const pending = await pendingWipes(device);
  if (!pending.includes(storeName)) await device.set(WIPES, [...pending, storeName]);
}

/** Deletes every store that was marked, and finishes what an earlier visit began. */
export async function finishDeletions(device: KeyValue): Promise<void> {
  for (const storeName of await pendingWipes(device)) {
    for (const name of databasesOf(storeName)) await Dexie.delete(name);
    const rest = (await pendingWipes(device)).filter((name) => name !== storeName);
    await device.set(WIPES, rest);
  }
}

/** Removes everything that is kept under that name. Close its stores first, or it waits for them. */
export async function deleteStore(device: KeyValue, storeName: string): Promise<void> {
  await markForDeletion(device, storeName);
  await finishDeletions(device);
}
