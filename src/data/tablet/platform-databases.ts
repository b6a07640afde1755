/** All databases of this origin, read as they are, written back, deleted. Only while no worker has them open. */
import { z } from 'zod';

const storeSchema = z.object({
  name: z.string(),
  keyPath: z.union([z.string(), z.array(z.string())]).nullable(),
  autoIncrement: z.boolean(),
  indexes: z.array(
    z.object({
      name: z.string(),
      keyPath: z.union([z.string(), z.array(z.string())]),
      unique: z.boolean(),
      multiEntry: z.boolean(),
    }),
  ),
  keys: z.array(z.unknown()),
  values: z.array(z.unknown()),
});
export const databaseSchema = z.object({
  name: z.string(),
  version: z.number(),
  stores: z.array(storeSchema),
});
export type DatabaseCopy = z.output<typeof databaseSchema>;
type StoreCopy = z.output<typeof storeSchema>;

/** The answer of a request. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('a database', { cause: request.error })));
  });
}

/** When a transaction is done; strict ones are on the disk then. */
export function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('a transaction', { cause: transaction.error }));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', fail);
    transaction.addEventListener('error', fail);
  });
}

/** Opens a database; `make` lays out what isn't there. */
export function openDatabase(
  name: string,
  version?: number,
  make?: (database: IDBDatabase) => void,
): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.addEventListener('upgradeneeded', () => make?.(request.result));
  return answerOf(request);
}

async function readStore(store: IDBObjectStore): Promise<StoreCopy> {
  const [keys, values] = await Promise.all([answerOf(store.getAllKeys()), answerOf(store.getAll())]);
  const indexes = [...store.indexNames].map((name) => {
    const { keyPath, unique, multiEntry } = store.index(name);
    return { name, keyPath, unique, multiEntry };
  });
  const { name, keyPath, autoIncrement } = store;
  return storeSchema.parse({ name, keyPath, autoIncrement, indexes, keys, values });
}

/** A copy of everything in it. */
export async function readDatabase(name: string): Promise<DatabaseCopy> {
  const database = await openDatabase(name);
  try {
    const names = [...database.objectStoreNames];
    if (names.length === 0) return { name, version: database.version, stores: [] };
    const transaction = database.transaction(names, 'readonly');
    const stores = await Promise.all(names.map((store) => readStore(transaction.objectStore(store))));
    return { name, version: database.version, stores };
  } finally {
    database.close();
  }
}

function layOut(database: IDBDatabase, stores: readonly StoreCopy[]): void {
  for (const { name, keyPath, autoIncrement, indexes } of stores) {
    const store = database.createObjectStore(name, { keyPath, autoIncrement });
    for (const index of indexes) store.createIndex(index.name, index.keyPath, index);
  }
}

/** Makes it as it was copied. */
export async function writeDatabase({ name, version, stores }: DatabaseCopy): Promise<void> {
  const database = await openDatabase(name, version, (made) => layOut(made, stores));
  try {
    if (stores.length === 0) return;
    const transaction = database.transaction(
      stores.map((store) => store.name),
      'readwrite',
    );
    for (const { name: storeName, keyPath, keys, values } of stores) {
      const store = transaction.objectStore(storeName);
      const keyAt = (at: number) => (keyPath === null ? z.custom<IDBValidKey>().parse(keys[at]) : undefined);
      for (const [at, value] of values.entries()) store.put(value, keyAt(at));
    }
    await endOf(transaction);
  } finally {
    database.close();
  }
}

/** Names of all databases but those. */
export async function databaseNames(but: string): Promise<string[]> {
  const all = await indexedDB.databases();
  return all.flatMap(({ name }) => (name === undefined || name === but ? [] : [name]));
}

/** Waits for whoever still has it open. */
export async function removeDatabase(name: string): Promise<void> {
  await answerOf(indexedDB.deleteDatabase(name));
}
