/** Names of the databases on the device. Everything of one user on one server starts with one store name. */

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
