/**
 * Reads IndexedDB as it is, without a library: the compute worker's way into databases that the sync worker
 * made. It never creates a database, never writes, and gives up its connection when the owner wants to delete
 * or upgrade it.
 */
import { AppError } from '../../src/contract/errors.ts';

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(new AppError('storage', 'The local data could not be read', { cause: request.error })),
    );
  });
}

/** Opens an existing database; null when there is none of that name. */
async function openExisting(idb: IDBFactory, name: string): Promise<IDBDatabase | null> {
  const request = idb.open(name);
  let isNew = false;
  // Opening creates what isn't there; refusing the upgrade leaves no empty database behind.
  request.addEventListener('upgradeneeded', () => {
    isNew = true;
    request.transaction?.abort();
  });
  try {
    const db = await settle(request);
    db.addEventListener('versionchange', () => db.close());
    return db;
  } catch (error) {
    if (isNew) return null;
    throw error;
  }
}

export interface RawRead {
  table: string;
  range?: IDBKeyRange;
}

/**
 * Reads several tables of one database in one transaction, so that they belong together. Empty lists when the
 * database or a table doesn't exist yet. Values are unknown: the caller parses what it uses.
 */
export async function readRaw(
  idb: IDBFactory,
  name: string,
  reads: readonly RawRead[],
): Promise<unknown[][]> {
  const db = await openExisting(idb, name);
  if (db === null) return reads.map(() => []);
  try {
    const tables = reads.map((read) => read.table);
    if (tables.some((table) => !db.objectStoreNames.contains(table))) return reads.map(() => []);
    const transaction = db.transaction(tables, 'readonly');
    return await Promise.all(
      reads.map((read) => settle<unknown[]>(transaction.objectStore(read.table).getAll(read.range))),
    );
  } finally {
    db.close();
  }
}

interface SteppedRead {
  /** Read so many values at a time … */
  table: string;
  size: number;
  visit: (values: unknown[]) => void;
  /** … and this one whole, after it. */
  last: { table: string; visit: (values: unknown[]) => void };
}

/**
 * Reads a large table a few values at a time, each in a task of its own, so that other work runs between and
 * little is held at once; all of it in one transaction, so that it belongs together. Visits nothing when the
 * database or a table doesn't exist yet.
 */
export async function readRawInSteps(idb: IDBFactory, name: string, read: SteppedRead): Promise<void> {
  const db = await openExisting(idb, name);
  if (db === null) return;
  const tables = [read.table, read.last.table];
  try {
    if (tables.some((table) => !db.objectStoreNames.contains(table))) return;
    await visitInSteps(db.transaction(tables, 'readonly'), read);
  } finally {
    db.close();
  }
}

function visitInSteps(transaction: IDBTransaction, read: SteppedRead): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = <T>(request: IDBRequest<T>, take: (result: T) => void) => {
      request.addEventListener('error', () =>
        reject(new AppError('storage', 'The local data could not be read', { cause: request.error })),
      );
      request.addEventListener('success', () => {
        try {
          take(request.result);
        } catch (error) {
          reject(error);
        }
      });
    };
    const store = transaction.objectStore(read.table);
    const finish = () =>
      give(transaction.objectStore(read.last.table).getAll(), (values: unknown[]) => {
        read.last.visit(values);
        resolve();
      });
    give(store.getAllKeys(), (keys) => {
      let [asked, visited] = [0, 0];
      const ask = () => {
        const from = keys[asked];
        asked = Math.min(asked + read.size, keys.length);
        const to = keys[asked - 1];
        if (from === undefined || to === undefined) return;
        const end = asked;
        give(store.getAll(IDBKeyRange.bound(from, to)), (values: unknown[]) => {
          ask();
          read.visit(values);
          visited = end;
          if (visited === keys.length) finish();
        });
      };
      // The next values are read while those before are visited.
      ask();
      ask();
      if (keys.length === 0) finish();
    });
  });
}
