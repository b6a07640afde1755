/** Names of the databases on the device. Everything of one user on one server starts with one store name. */

/** Everything of ours on this origin starts with this; the service worker's caches don't. */
export const STORE_PREFIX = 'holdfast-';

/** Two rounds of FNV-1a with different seeds: 64 bits, enough to keep users of one browser apart. */
function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** The store of one user on one server (design §4 law 13). */
export function storeNameOf(origin: string, userId: string): string {
  const text = `${origin}\n${userId}`;
  return `${STORE_PREFIX}${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x2b1f7a3d)}`;
}

/** Cursors, as-of and the like of one store. */
export function metaDbName(storeName: string): string {
  return `${storeName}-meta`;
}

/** The pages of one packed collection. */
export function packedDbName(storeName: string, collection: string): string {
  return `${storeName}-packed-${collection}`;
}

/** Whether a database is one of that store: each has the store's name in its own, also what RxDB makes of it. */
export function isOfStore(storeName: string, database: string): boolean {
  return database.includes(`${storeName}-`);
}

/** Where RxDB keeps its collections. */
export function rxdbDatabaseName(storeName: string): string {
  return `${storeName}-rows`;
}

/** Texts that one user began and has not sent. */
export function draftsDbName(storeName: string): string {
  return `${storeName}-drafts`;
}

/** The outbox of one user; it outlives the rest of the store when it isn't empty. */
export function outboxDbName(storeName: string): string {
  return `${storeName}-outbox`;
}

/** What outlives users: who was here last, and stores whose deletion isn't finished. */
export const DEVICE_DB = 'holdfast-device';
