/** Opens databases in a given place, so that several devices can live in one process (tests, the simulator). */
import { Dexie } from 'dexie';

/** A Dexie database of that name; nothing is opened before it is first used. */
export function dexieOn(dbName: string, idb: IDBFactory): Dexie {
  return new Dexie(dbName, { indexedDB: idb, IDBKeyRange });
}

/** Removes a database; one that isn't there is as good as removed. */
export async function deleteDatabase(dbName: string, idb: IDBFactory): Promise<void> {
  await dexieOn(dbName, idb).delete();
}

/** Whether there is a database of that name; looking doesn't make one. */
export async function hasDatabase(dbName: string, idb: IDBFactory): Promise<boolean> {
  return (await idb.databases()).some(({ name }) => name === dbName);
}
