/** Everything that is kept of one user on this device, opened together and closed together. */
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
  checks: RowStore<Check>;
  /** The same checks for a quick start (store-facts.ts BOOT_CHECKS). */
  bootChecks: RowStore<Check>;
  canaries: RowStore<Canary>;
  statuses: PackedRowStore<CheckStatus>;
  documents: PackedRowStore<KeptDocument>;
  close(): Promise<void>;
}

const byId = { idOf: (row: { id: string }) => row.id, partitionOf: () => '' };

/** Opens the store of that name; what isn't there yet is made when it is first written. */
export function openUserStore(storeName: string, idb: IDBFactory): UserStore {
  const rxdb = createRxdbHandle({ storeName, collections: RXDB_COLLECTIONS, idb });
  const meta = openKeyValue(metaDbName(storeName));
  const bootChecks = createPackedRowStore<Check>(packedDbName(storeName, 'checks'), bootShape);
  const statuses = createPackedRowStore<CheckStatus>(packedDbName(storeName, 'check_statuses'), statusShape);
  const documents = createPackedRowStore<KeptDocument>(packedDbName(storeName, 'documents'), documentShape);
  return {
    storeName,
    meta,
    bootChecks,
    checks: createRxdbRowStore<Check>(rxdb, 'checks', byId),
    canaries: createRxdbRowStore<Canary>(rxdb, 'canaries', byId),
    statuses,
    documents,
    async close() {
      await Promise.all([rxdb.close(), bootChecks.close(), statuses.close(), documents.close()]);
      meta.close();
    },
  };
}
