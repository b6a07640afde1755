/** Everything that is kept of one user on this device, opened together and closed together. */
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../src/contract/collections.ts';
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
  close(): Promise<void>;
}

const byId = { idOf: (row: { id: string }) => row.id, partitionOf: () => '' };

/** Opens the store of that name; what isn't there yet is made when it is first written. */
export function openUserStore(storeName: string, idb: IDBFactory): UserStore {
  const rxdb = createRxdbHandle({ storeName, collections: RXDB_COLLECTIONS, idb });
  const packed = (name: string) => ({ name: packedDbName(storeName, name), idb });
  const meta = openKeyValue(metaDbName(storeName), idb);
  const bootChecks = createPackedRowStore<Check>(packed('checks'), bootShape);
  const statuses = createPackedRowStore<CheckStatus>(packed('check_statuses'), statusShape);
  const documents = createPackedRowStore<KeptDocument>(packed('documents'), documentShape);
  const staging = createPackedRowStore<ReplicatedRow>(packed('staging'), byId);
  const open = <Row extends { id: string }>(name: CollectionName): RowStore<Row> =>
    COLLECTION_FACTS[name].store === 'rxdb'
      ? createRxdbRowStore<Row>(rxdb, name, bootShape)
      : createPackedRowStore<Row>(packed(name), bootShape);
  // One store a collection: a packed one puts its own writes in a row, and two would lose each other's.
  const checks = open<Check>('checks');
  const known: Partial<Record<CollectionName, RowStore<Check>>> = { checks };
  const rows = Object.fromEntries(
    COLLECTIONS.map((name) => [name, known[name] ?? open<ReplicatedRow>(name)]),
  ) as UserStore['rows'];
  return {
    storeName,
    meta,
    rows,
    bootChecks,
    checks,
    canaries: createRxdbRowStore<Canary>(rxdb, 'canaries', byId),
    statuses,
    documents,
    staging,
    async close() {
      await Promise.all([bootChecks, statuses, documents, staging].map((store) => store.close()));
      await Promise.all(Object.values(rows).map((store) => store.close()));
      await rxdb.close();
      meta.close();
    },
  };
}
