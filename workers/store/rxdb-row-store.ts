/**
 * Rows in a RxDB collection on Dexie: for sets that are small and change (design §4). One writer at a time;
 * RxDB's own change stream and queries are not used. RxDB is loaded when the first row is written, so that the
 * worker's entry stays small; reads go around it (rxdb-raw.ts).
 */
import type { RxCollection, RxDatabase } from 'rxdb/plugins/core';
import { AppError } from '../../src/contract/errors.ts';
import type { RowShape, RowStore } from './row-store.ts';
import { countRxdbRows, RXDB_SCHEMA_VERSION, readRxdbRows, type RxRow } from './rxdb-raw.ts';

type Collections = Record<string, RxCollection<RxRow>>;
type Database = RxDatabase<Collections>;

/** More at once only makes each transaction longer, in which readers wait. */
const WRITE_BATCH = 2000;

const SCHEMA = {
  version: RXDB_SCHEMA_VERSION,
  primaryKey: 'id',
  type: 'object',
  properties: { id: { type: 'string', maxLength: 200 }, body: { type: 'string' } },
  required: ['id', 'body'],
} as const;

/** The RxDB database of one store, opened when first needed. */
export interface RxdbHandle {
  storeName: string;
  idb: IDBFactory;
  collection(name: string): Promise<RxCollection<RxRow>>;
  close(): Promise<void>;
}

/** Prepares a store's RxDB database; nothing is opened before the first write. */
export function createRxdbHandle(options: {
  storeName: string;
  collections: readonly string[];
  idb: IDBFactory;
}): RxdbHandle {
  const { storeName, collections, idb } = options;
  let opening: Promise<Database> | null = null;

  const open = async (): Promise<Database> => {
    const [{ createRxDatabase }, { getRxStorageDexie }] = await Promise.all([
      import('rxdb/plugins/core'),
      import('rxdb/plugins/storage-dexie'),
    ]);
    const database = await createRxDatabase<Collections>({
      name: storeName,
      storage: getRxStorageDexie({ indexedDB: idb, IDBKeyRange }),
      // One that was not closed (a worker that ended, a device of the simulator) writes nothing any more.
      closeDuplicates: true,
      multiInstance: false,
      eventReduce: false,
    });
    await database.addCollections(Object.fromEntries(collections.map((name) => [name, { schema: SCHEMA }])));
    return database;
  };

  return {
    storeName,
    idb,
    async collection(name) {
      // Closed from outside when another worker opened the same store.
      if (opening !== null && (await opening).closed) opening = null;
      opening ??= open();
      const found = (await opening).collections[name];
      if (found === undefined) throw new AppError('storage', `No collection ${name}`);
      return found;
    },
    async close() {
      if (opening === null) return;
      const database = await opening;
      opening = null;
      await database.close();
    },
  };
}

function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += WRITE_BATCH)
    yield items.slice(start, start + WRITE_BATCH);
}

function refuse(errors: readonly { documentId: string; status: number }[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('storage', `Row ${first.documentId} was not stored`, { status: first.status });
}

/** A row store on one collection of an opened RxDB database. */
export function createRxdbRowStore<Row>(
  handle: RxdbHandle,
  collectionName: string,
  shape: RowShape<Row>,
): RowStore<Row> {
  const read = () => readRxdbRows<Row>(handle.idb, handle.storeName, collectionName);

  const remove = async (ids: readonly string[]) => {
    const collection = await handle.collection(collectionName);
    for (const batch of batches(ids)) {
      const { error } = await collection.bulkRemove(batch);
      // 404: gone already, which is what was asked for.
      refuse(error.filter((failed) => (failed.status as number) !== 404));
    }
  };
  const write = async (rows: readonly Row[]) => {
    const collection = await handle.collection(collectionName);
    for (const batch of batches(rows)) {
      const docs = batch.map((row) => ({ id: shape.idOf(row), body: JSON.stringify(row) }));
      const { error } = await collection.bulkUpsert(docs);
      refuse(error);
    }
  };

  return {
    async loadAll(partition) {
      const rows = await read();
      return partition === undefined
        ? rows
        : rows.filter((row) => shape.partitionOf(shape.idOf(row)) === partition);
    },
    async apply({ upserts, deletedIds }) {
      if (deletedIds.length > 0) await remove(deletedIds);
      if (upserts.length > 0) await write(upserts);
    },
    async replaceAll(rows) {
      const keep = new Set(rows.map((row) => shape.idOf(row)));
      const gone = (await read()).map((row) => shape.idOf(row)).filter((id) => !keep.has(id));
      await write(rows);
      if (gone.length > 0) await remove(gone);
    },
    count: () => countRxdbRows(handle.idb, handle.storeName, collectionName),
    async clear() {
      await remove((await read()).map((row) => shape.idOf(row)));
    },
    async tidy() {
      const collection = await handle.collection(collectionName);
      await collection.storageInstance.cleanup(0);
    },
    close: () => handle.close(),
  };
}
