/** Everything that is kept of one user on this device, opened together and closed together. */
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import type { Canary } from '../../../src/contract/http/canary.ts';
import type { Check, CheckStatus } from '../../../src/domain/check/check.ts';
import { openKeyValue, type KeyValue } from '../../store/key-value.ts';
import { createPackedRowStore, type PackedRowStore } from '../../store/packed-row-store.ts';
import type { RowStore } from '../../store/row-store.ts';
import { createRxdbHandle, createRxdbRowStore } from '../../store/rxdb-row-store.ts';
import { documentShape, rowShape, type CachedDocument } from '../../store/store-facts.ts';
import { metaDbName, packedDbName, rxdbDatabaseName } from '../../store/store-names.ts';
import { statusShape } from '../pull/statuses-keeper.ts';
import { rxdbPlace, StoreVouch, vouchingFacts, type VouchedStore } from './store-vouch.ts';

export interface UserStore {
  storeName: string;
  meta: KeyValue;
  /** Every replicated collection. */
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  checks: RowStore<Check>;
  canaries: RowStore<Canary>;
  statuses: PackedRowStore<CheckStatus>;
  documents: PackedRowStore<CachedDocument>;
  /** Rows of the collection that is being loaded. */
  staging: PackedRowStore<ReplicatedRow>;
  /** Compares what the marks in `meta` vouch for with what is there. */
  vouch: StoreVouch;
  /** Adds a collection that is in RxDB. */
  vouchFor(collection: CollectionName, rows: VouchedStore): void;
  close(): Promise<void>;
}

const byId = { idOf: (row: { id: string }) => row.id, partitionOf: () => '' };

export interface UserStorePlace {
  storeName: string;
  idb: IDBFactory;
  newId: () => string;
  /** Told when somebody removed a collection's database (design §4 law 14). */
  onBroken: (error: unknown) => void;
}

/** Opens the store of that name; what isn't there yet is made when it is first written. */
export function openUserStore({ storeName, idb, newId, onBroken }: UserStorePlace): UserStore {
  const rxdb = createRxdbHandle({ name: rxdbDatabaseName(storeName), idb });
  const packed = (name: string) => ({ name: packedDbName(storeName, name), idb, newId });
  const facts = openKeyValue(metaDbName(storeName), idb);
  const stores = new Map<string, VouchedStore>();
  const vouch = new StoreVouch({ meta: facts, idb, stores });
  const looks = new Set<Promise<void>>();
  const look = (name: string) => {
    const looked = vouch.refuseNoted(packedDbName(storeName, name)).catch(onBroken);
    looks.add(looked);
    void looked.finally(() => looks.delete(looked));
  };
  const statuses = createPackedRowStore<CheckStatus>(packed('check_statuses'), statusShape);
  const documents = createPackedRowStore<CachedDocument>(packed('documents'), documentShape);
  const staging = createPackedRowStore<ReplicatedRow>(packed('staging'), byId);
  const open = <Row extends { id: string }>(name: CollectionName): RowStore<Row> => {
    if (COLLECTION_FACTS[name].store === 'rxdb') return createRxdbRowStore<Row>(rxdb, name, rowShape);
    const store = createPackedRowStore<Row>({ ...packed(name), onMissing: () => look(name) }, rowShape);
    stores.set(packedDbName(storeName, name), store);
    return store;
  };
  // One store a collection: a packed one puts its own writes in a row, and two would lose each other's.
  const checks = open<Check>('checks');
  const canaries = open<Canary>('canaries');
  const known: Partial<Record<CollectionName, RowStore<Check> | RowStore<Canary>>> = { checks, canaries };
  const rows = Object.fromEntries(
    COLLECTIONS.map((name) => [name, known[name] ?? open<ReplicatedRow>(name)]),
  ) as UserStore['rows'];
  for (const [name, store] of Object.entries({ check_statuses: statuses, staging }))
    stores.set(packedDbName(storeName, name), store);
  return {
    storeName,
    meta: vouchingFacts(facts, vouch),
    vouch,
    vouchFor: (collection, kept) => stores.set(rxdbPlace(collection), kept),
    rows,
    checks,
    canaries,
    statuses,
    documents,
    staging,
    async close() {
      await Promise.all(looks);
      await Promise.all([statuses, documents, staging].map((store) => store.close()));
      await Promise.all(Object.values(rows).map((store) => store.close()));
      await rxdb.close();
      facts.close();
    },
  };
}
