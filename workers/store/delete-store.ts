/**
 * Deleting what is kept of a user (design §4 law 13). The intent is written first, so that a deletion that
 * was cut short is finished at the next start, before anything else is opened.
 */
import { COLLECTION_FACTS, COLLECTIONS, type CollectionName } from '../../src/contract/collections.ts';
import { deleteDatabase } from './dexie-on.ts';
import { z } from 'zod';
import type { KeyValue } from './key-value.ts';
import { rxdbDbName, rxdbInternalDbName } from './rxdb-raw.ts';
import { draftsDbName, metaDbName, outboxDbName, packedDbName } from './store-names.ts';

const WIPES = 'wipes';

function namesOf(kind: 'rxdb' | 'packed'): CollectionName[] {
  return COLLECTIONS.filter((name) => COLLECTION_FACTS[name].store === kind);
}

export const RXDB_COLLECTIONS = namesOf('rxdb');
/** Besides the packed collections: the checks' boot copy, their runs, large bodies, and a load under way. */
const PACKED_NAMES = [...namesOf('packed'), 'checks', 'check_statuses', 'documents', 'staging'];

/** The databases of one store; the outbox is the last of all to go (law 14). */
export function databasesOf(storeName: string): string[] {
  return [
    ...RXDB_COLLECTIONS.map((name) => rxdbDbName(storeName, name)),
    rxdbInternalDbName(storeName),
    ...PACKED_NAMES.map((name) => packedDbName(storeName, name)),
    metaDbName(storeName),
    draftsDbName(storeName),
  ];
}

const wipeSchema = z.object({
  storeName: z.string(),
  keepsOutbox: z.boolean(),
  /** A store that is only built anew: it stays its owner's. */
  keepsDrafts: z.boolean().default(false),
});
type Wipe = z.output<typeof wipeSchema>;

/** Where stores are, and where it is noted which of them must go. */
export interface DeletionParts {
  device: KeyValue;
  idb: IDBFactory;
}

async function pendingWipes(device: KeyValue): Promise<Wipe[]> {
  const parsed = z.array(wipeSchema).safeParse(await device.get(WIPES));
  return parsed.success ? parsed.data : [];
}

/** Why a store must go: it is built anew for the same user, or for good; null when it stays. */
export async function deletionOf(
  device: KeyValue,
  storeName: string,
): Promise<'rebuild' | 'for-good' | null> {
  const wipe = (await pendingWipes(device)).find((one) => one.storeName === storeName);
  if (wipe === undefined) return null;
  return wipe.keepsDrafts ? 'rebuild' : 'for-good';
}

/** Notes that a store must go. From here on it is never shown again, whatever happens. */
export async function markForDeletion(
  { device }: DeletionParts,
  storeName: string,
  { keepsOutbox = false, keepsDrafts = false }: { keepsOutbox?: boolean; keepsDrafts?: boolean } = {},
): Promise<void> {
  const wipes = await pendingWipes(device);
  const others = wipes.filter((wipe) => wipe.storeName !== storeName);
  // Who builds it anew takes nothing back from who removes it for good.
  const before = wipes.find((wipe) => wipe.storeName === storeName);
  const wipe = {
    storeName,
    keepsOutbox: keepsOutbox && before?.keepsOutbox !== false,
    keepsDrafts: keepsDrafts && before?.keepsDrafts !== false,
  };
  await device.set(WIPES, [...others, wipe]);
}

/** Deletes every store that was marked, and finishes what an earlier visit began. */
export async function finishDeletions({ device, idb }: DeletionParts): Promise<void> {
  for (const { storeName, keepsOutbox, keepsDrafts } of await pendingWipes(device)) {
    const kept = keepsDrafts ? draftsDbName(storeName) : null;
    for (const name of databasesOf(storeName)) if (name !== kept) await deleteDatabase(name, idb);
    if (!keepsOutbox) await deleteDatabase(outboxDbName(storeName), idb);
    const rest = (await pendingWipes(device)).filter((wipe) => wipe.storeName !== storeName);
    await device.set(WIPES, rest);
  }
}

const GONE = 'gone';
const goneSchema = z.array(z.object({ storeName: z.string(), keepsOutbox: z.boolean() }));
type Gone = z.output<typeof goneSchema>;

async function goneStores(device: KeyValue): Promise<Gone> {
  const parsed = goneSchema.safeParse(await device.get(GONE));
  return parsed.success ? parsed.data : [];
}

/** A store's user signs out: it must go, and with it whatever a tab that hears of it late still writes. */
export async function markGone(deletion: DeletionParts, gone: Gone[number]): Promise<void> {
  const { device } = deletion;
  const others = (await goneStores(device)).filter(({ storeName }) => storeName !== gone.storeName);
  await device.set(GONE, [...others, gone]);
  await markForDeletion(deletion, gone.storeName, gone);
}

/** The store's user is here again: what is written from now on stays. */
export async function noteBack({ device }: DeletionParts, storeName: string): Promise<void> {
  const stores = await goneStores(device);
  const others = stores.filter((gone) => gone.storeName !== storeName);
  if (others.length < stores.length) await device.set(GONE, others);
}

async function removeThese(idb: IDBFactory, names: readonly string[]): Promise<void> {
  const there = new Set((await idb.databases()).map(({ name }) => name));
  for (const name of names) if (there.has(name)) await deleteDatabase(name, idb);
}

/** Removes databases of a deleted store that came back; its outbox stays as it is. */
export function removeLeftovers({ idb }: DeletionParts, storeName: string): Promise<void> {
  return removeThese(idb, databasesOf(storeName));
}

/** The same if its user signed out and isn't back; the outbox goes, too, unless it was to be kept. */
export async function removeIfGone({ device, idb }: DeletionParts, storeName: string): Promise<void> {
  const there = new Set((await idb.databases()).map(({ name }) => name));
  const own = [...databasesOf(storeName), outboxDbName(storeName)];
  for (const name of own.filter((one) => there.has(one))) {
    // Its user may come back in another tab meanwhile.
    const gone = (await goneStores(device)).find((one) => one.storeName === storeName);
    if (gone === undefined) return;
    if (!gone.keepsOutbox || name !== outboxDbName(storeName)) await deleteDatabase(name, idb);
  }
}

/** The same for all: what a tab wrote that ended before it heard of the sign-out. */
export async function removeGone(deletion: DeletionParts): Promise<void> {
  for (const { storeName } of await goneStores(deletion.device)) await removeIfGone(deletion, storeName);
}
