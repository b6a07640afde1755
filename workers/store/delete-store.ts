/**
 * Deleting what is kept of a user (design §4 law 13). The intent is written first, so that a deletion that
 * was cut short is finished at the next start, before anything else is opened.
 */
import { z } from 'zod';
import { deleteDatabase } from './dexie-on.ts';
import type { KeyValue } from './key-value.ts';
import { draftsDbName, isOfStore, outboxDbName } from './store-names.ts';

const WIPES = 'wipes';

/** The databases that there are of one store, whatever made them; not its outbox, the last of all to go (law 14). */
async function databasesOf(idb: Pick<IDBFactory, 'databases'>, storeName: string): Promise<string[]> {
  const names = (await idb.databases()).flatMap(({ name }) => name ?? []);
  return names.filter((name) => isOfStore(storeName, name) && name !== outboxDbName(storeName));
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
    for (const name of await databasesOf(idb, storeName)) if (name !== kept) await deleteDatabase(name, idb);
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

/** Removes databases of a deleted store that came back; its outbox stays as it is. */
export async function removeLeftovers({ idb }: DeletionParts, storeName: string): Promise<void> {
  for (const name of await databasesOf(idb, storeName)) await deleteDatabase(name, idb);
}

/** The same if its user signed out and isn't back; the outbox goes, too, unless it was to be kept. */
export async function removeIfGone({ device, idb }: DeletionParts, storeName: string): Promise<void> {
  const there = new Set((await idb.databases()).map(({ name }) => name));
  const outbox = outboxDbName(storeName);
  const own = [...(await databasesOf(idb, storeName)), ...(there.has(outbox) ? [outbox] : [])];
  for (const name of own) {
    // Its user may come back in another tab meanwhile.
    const gone = (await goneStores(device)).find((one) => one.storeName === storeName);
    if (gone === undefined) return;
    if (!gone.keepsOutbox || name !== outbox) await deleteDatabase(name, idb);
  }
}

/** The same for all: what a tab wrote that ended before it heard of the sign-out. */
export async function removeGone(deletion: DeletionParts): Promise<void> {
  for (const { storeName } of await goneStores(deletion.device)) await removeIfGone(deletion, storeName);
}
