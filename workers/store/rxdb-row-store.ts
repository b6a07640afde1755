/**
 * Rows in a RxDB collection: for sets that are few, change and stand on no first screen (docs/decisions/0021). One
 * writer at a time; RxDB is loaded when the first row is read or written, so that the worker's entry stays small. It
 * is used through its exports alone. Reads ask a collection's storage, not its query cache: another worker may have
 * written since, and what somebody changed or took away has to be noticed.
 */
import type { RxCollection, RxDatabase, RxJsonSchema } from 'rxdb/plugins/core';
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { RowShape, RowStore } from './row-store.ts';
import { documentOf, RXDB_SCHEMAS, rowOf, type RowDocument } from './rxdb-documents.ts';
import { storageFailureOf } from './storage-failure.ts';

type Core = typeof import('rxdb/plugins/core');
type Collection = RxCollection<RowDocument>;
type Database = RxDatabase<Record<string, Collection>>;

/** More at once only makes each transaction longer, in which readers wait. */
const WRITE_BATCH = 2000;
/** Another worker in this process that opens the same store closes this one's database: it is opened again. */
const ATTEMPTS = 5;

interface Opened {
  database: Database;
  core: Core;
  isClosing: boolean;
}

/** The RxDB database of one store, opened when first needed. */
export interface RxdbHandle {
  /** Does something with a collection, which stays open for as long as that takes. */
  run<Result>(name: string, work: (collection: Collection, core: Core) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** One opens at a time: it closes another of that name, which must not be half open then. */
let lastOpening: Promise<unknown> = Promise.resolve();

interface Place {
  /** The database's. */
  name: string;
  idb: IDBFactory;
  /** Of its collections; those that a store has when not given. */
  schemas?: Readonly<Record<string, RxJsonSchema<RowDocument>>>;
}

async function open({ name, idb, schemas = RXDB_SCHEMAS }: Place): Promise<Opened> {
  const [core, { getRxStorageDexie }] = await Promise.all([
    import('rxdb/plugins/core'),
    import('rxdb/plugins/storage-dexie'),
  ]);
  const make = async (): Promise<Opened> => {
    const database: Database = await core.createRxDatabase({
      name,
      storage: getRxStorageDexie({ indexedDB: idb, IDBKeyRange }),
      // One that was not closed (a worker that ended, a device of the simulator) writes nothing any more.
      closeDuplicates: true,
      multiInstance: false,
      eventReduce: false,
    });
    const opened = { database, core, isClosing: false };
    database.onClose.push(() => {
      opened.isClosing = true;
    });
    const creators = Object.entries(schemas).map(([collection, schema]) => [collection, { schema }] as const);
    await database.addCollections(Object.fromEntries(creators));
    return opened;
  };
  const opening = lastOpening.then(make, make);
  lastOpening = opening.catch(() => {});
  return opening;
}

/** The browser closes connections when its disk is full or a database goes; RxDB doesn't open its own again. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && error.name === 'DatabaseClosedError';
}

/** Prepares a store's RxDB database; nothing is opened before the first row is read or written. */
export function createRxdbHandle(place: Place): RxdbHandle {
  let opening: Promise<Opened> | null = null;
  let isClosed = false;
  const opened = async (): Promise<Opened> => {
    const before = opening;
    const isUsable = (await before?.catch(() => null))?.isClosing === false;
    // Opened again, it would make what was deleted since.
    if (isClosed) throw new AppError('storage', ERROR_TEXTS.storage);
    if (opening === null || (!isUsable && opening === before)) opening = open(place);
    return opening;
  };
  return {
    async run(name, work) {
      for (let attempt = 1; ; attempt += 1) {
        const current = await opened().catch((error: unknown) => {
          throw storageFailureOf(error) ?? error;
        });
        const { database, core } = current;
        const collection = database.collections[name];
        if (collection === undefined) throw new AppError('storage', ERROR_TEXTS.storage);
        try {
          return await database.lockedRun(() => work(collection, core));
        } catch (error) {
          if (!(current.isClosing || isConnectionLost(error)) || attempt === ATTEMPTS)
            throw storageFailureOf(error) ?? error;
          await database.close();
        }
      }
    },
    async close() {
      isClosed = true;
      const current = await opening?.catch(() => null);
      await current?.database.close();
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

/** All documents that are not deleted. */
function everything(collection: Collection, { prepareQuery }: Core) {
  const { schema } = collection.storageInstance;
  return prepareQuery<RowDocument>(schema, {
    selector: { _deleted: { $eq: false } },
    sort: [{ id: 'asc' }],
    skip: 0,
  });
}

/** The documents of a collection as they are kept, whoever wrote them. */
export function readDocuments(
  handle: RxdbHandle,
  name: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  return handle.run(name, async (collection, core) => {
    const { documents } = await collection.storageInstance.query(everything(collection, core));
    return documents;
  });
}

/** A row store on one collection of an opened RxDB database. */
export function createRxdbRowStore<Row extends object>(
  handle: RxdbHandle,
  name: string,
  shape: RowShape<Row>,
): RowStore<Row> {
  const read = async () => (await readDocuments(handle, name)).map((document) => rowOf<Row>(document));
  const remove = async (ids: readonly string[]) => {
    for (const batch of batches(ids)) {
      const { error } = await handle.run(name, (collection) => collection.bulkRemove(batch));
      // 404: gone already, which is what was asked for.
      refuse(error.filter((failed) => (failed.status as number) !== 404));
    }
  };
  const write = async (rows: readonly Row[]) => {
    for (const batch of batches(rows)) {
      const documents = batch.map((row) => documentOf(shape.idOf(row), row));
      const { error } = await handle.run(name, (collection) => collection.bulkUpsert(documents));
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
    async *loadParts() {
      yield await read();
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
    count: () =>
      handle.run(name, async (collection, core) => {
        const { count } = await collection.storageInstance.count(everything(collection, core));
        return count;
      }),
    async clear() {
      await remove((await read()).map((row) => shape.idOf(row)));
    },
    tidy: () =>
      handle.run(name, async (collection) => {
        await collection.storageInstance.cleanup(0);
      }),
    close: () => handle.close(),
  };
}
