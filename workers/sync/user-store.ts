/** Everything that is kept of one user on this device, opened together and closed together. */
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../src/contract/collections.ts';
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { Canary } from '../../src/contract/http/canary.ts';
import type { Check, CheckStatus } from '../../src/domain/check/check.ts';
import { RXDB_COLLECTIONS } from '../store/delete-store.ts';
import { openKeyValue, type KeyValue } from '../store/key-value.ts';
import { createPackedRowStore, type PackedRowStore } from '../store/packed-row-store.ts';
import type { RowStore } from '../store/row-store.ts';
import { createRxdbHandle, createRxdbRowStore } from '../store/rxdb-row-store.ts';
import { bootShape, documentShape, type KeptDocument } from '../store/store-facts.ts';
import { metaDbName, packedDbName } from '../store/store-names.ts';
import { statusShape } from './pull/statuses-keeper.ts';

export interface UserStore {
  storeName: string;
  meta: KeyValue;
  /** Every replicated collection. */
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  checks: RowStore<Check>;
  /** The same checks for a quick start (store-facts.ts BOOT_CHECKS). */
  bootChecks: RowStore<Check>;
  canaries: RowStore<Canary>;
  statuses: PackedRowStore<CheckStatus>;
  documents: PackedRowStore<KeptDocument>;
  /** Rows of the collection that is being loaded. */
  staging: RowStore<ReplicatedRow>;
  /** Throws `storage` when somebody removed a collection's database. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

const byId = { idOf: (row: { id: string }) => row.id, partitionOf: () => '' };

/** The fact that a collection's database was made once: it is never made again unless somebody removed it. */
const madeMark = (name: string) => `made:${name}`;

/** What the marks vouch for went with a database that was made once. */
async function refuseIfMade(meta: KeyValue, name: string): Promise<void> {
  if ((await meta.get(madeMark(name))) === true)
    throw new AppError('storage', ERROR_TEXTS.storage, { cause: new Error(`${name} was removed`) });
}

/** A database that is made a second time was removed in between. */
async function noteMade(meta: KeyValue, name: string): Promise<void> {
  await refuseIfMade(meta, name);
  await meta.set(madeMark(name), true);
}

/**
 * Opens the store of that name; what isn't there yet is made when it is first written. `onBroken` is told when
 * somebody removed a collection's database (design §4 law 14).
 */
export function openUserStore(
  storeName: string,
  idb: IDBFactory,
  onBroken: (error: unknown) => void,
): UserStore {
  const rxdb = createRxdbHandle({ storeName, collections: RXDB_COLLECTIONS, idb });
  const packed = (name: string) => ({ name: packedDbName(storeName, name), idb });
  const meta = openKeyValue(metaDbName(storeName), idb);
  const noted: Promise<void>[] = [];
  const bootChecks = createPackedRowStore<Check>(packed('checks'), bootShape);
  const statuses = createPackedRowStore<CheckStatus>(packed('check_statuses'), statusShape);
  const documents = createPackedRowStore<KeptDocument>(packed('documents'), documentShape);
  const staging = createPackedRowStore<ReplicatedRow>(packed('staging'), byId);
  const open = <Row extends { id: string }>(name: CollectionName): RowStore<Row> =>
    COLLECTION_FACTS[name].store === 'rxdb'
      ? createRxdbRowStore<Row>(rxdb, name, bootShape)
      : createPackedRowStore<Row>(
          { ...packed(name), onMade: () => noted.push(noteMade(meta, name).catch(onBroken)) },
          bootShape,
        );
  // One store a collection: a packed one puts its own writes in a row, and two would lose each other's.
  const checks = open<Check>('checks');
  const canaries = open<Canary>('canaries');
  const known: Partial<Record<CollectionName, RowStore<Check> | RowStore<Canary>>> = { checks, canaries };
  const rows = Object.fromEntries(
    COLLECTIONS.map((name) => [name, known[name] ?? open<ReplicatedRow>(name)]),
  ) as UserStore['rows'];
  return {
    storeName,
    meta,
    rows,
    bootChecks,
    checks,
    canaries,
    statuses,
    documents,
    staging,
    async verify() {
      const there = new Set((await idb.databases()).map((database) => database.name));
      const absent = COLLECTIONS.filter((name) => !there.has(packedDbName(storeName, name)));
      for (const name of absent) await refuseIfMade(meta, name);
    },
    async close() {
      await Promise.all(noted);
      await Promise.all([bootChecks, statuses, documents, staging].map((store) => store.close()));
      await Promise.all(Object.values(rows).map((store) => store.close()));
      await rxdb.close();
      meta.close();
    },
  };
}
