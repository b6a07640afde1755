/** Puts together what keeps one user's store in step: stores, both dialects, and the small jobs around them. */
import { COLLECTION_FACTS, COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';
import type { Cursor } from '../../../src/contract/sync.ts';
import type { Canary } from '../../../src/contract/http/canary.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import { rxdbDbName } from '../../store/rxdb-raw.ts';
import { packedDbName } from '../../store/store-names.ts';
import type { Announce } from '../tabs/announcer.ts';
import { createDataApi, type DataApi } from '../network/data-api.ts';
import type { HttpClient } from '../network/http-client.ts';
import { Comparison } from '../log/comparison.ts';
import {
  createCanaryReplica,
  createCheckReplica,
  createReplicaCollection,
  type ReplicaCollection,
} from '../log/replica-collection.ts';
import { LogDialect } from '../log/log-dialect.ts';
import { createLogWire } from '../log/log-wire.ts';
import { createPruner } from '../log/prune.ts';
import { createSnapshotLoader } from '../log/snapshot-loader.ts';
import type { SyncPlatform } from '../platform.ts';
import { createCanariesPull } from '../pull/canaries-pull.ts';
import { ChecksPull } from '../pull/checks-pull.ts';
import { CollectionsPull } from '../pull/collections-pull.ts';
import { createReplicaRows, type ReplicaRows } from '../pull/replica-rows.ts';
import { createPlainDialect } from '../pull/plain-dialect.ts';
import { createPlainTables } from '../pull/plain-tables.ts';
import { StatusesKeeper } from '../pull/statuses-keeper.ts';
import type { UserStore } from '../store/user-store.ts';

export interface ReplicationParts {
  platform: SyncPlatform;
  http: HttpClient;
  store: UserStore;
  announce: Announce;
  serverNow: () => number;
  /** Never ahead of the server. */
  lastServerTime: () => number;
  onCursor: (cursor: Cursor) => Promise<void>;
}

export interface Replication {
  api: DataApi;
  statuses: StatusesKeeper;
  collections: CollectionsPull;
  dialects: { log: LogDialect; plain: ReturnType<typeof createPlainDialect> };
}

type Replicas = Readonly<Record<CollectionName, ReplicaCollection>>;

/** Every collection with the way in which it is kept. */
function createReplicas(
  { store, announce, platform }: ReplicationParts,
  { checks, canaries }: { checks: ReplicaRows<Check>; canaries: ReplicaRows<Canary> },
): Replicas {
  const { meta, rows } = store;
  const report = (error: unknown) => platform.report(error);
  /** Whether the collection has a database already; some kinds are made with the first write. */
  const isStored = async (collection: CollectionName) => {
    if (COLLECTION_FACTS[collection].store === 'rxdb') return true;
    const name = packedDbName(store.storeName, collection);
    return (await platform.idb.databases()).some((database) => database.name === name);
  };
  const keep = (collection: CollectionName) => {
    if (collection === 'checks') return createCheckReplica({ meta, announce, report }, checks);
    if (collection === 'canaries') return createCanaryReplica({ meta, announce, report }, canaries);
    const parts = { collection, meta, announce, report, isStored: () => isStored(collection) };
    return createReplicaCollection(parts, rows[collection]);
  };
  return Object.fromEntries(COLLECTIONS.map((collection) => [collection, keep(collection)])) as Replicas;
}

/**
 * The checks and the canaries, one of each for both dialects: it remembers what is kept, and two would not know of each
 * other's writes. RxDB keeps no ledger beside its rows.
 */
function createKnownRows({ store, announce }: ReplicationParts) {
  const aheadOf = (collection: CollectionName) => {
    if (COLLECTION_FACTS[collection].store !== 'rxdb') return {};
    return { ahead: store.vouch.writeAhead(rxdbDbName(store.storeName, collection)) };
  };
  const checks = createReplicaRows<Check>({
    collection: 'checks',
    store: store.checks,
    copy: store.bootChecks,
    announce,
    ...aheadOf('checks'),
  });
  const canaries = createReplicaRows<Canary>({
    collection: 'canaries',
    store: store.canaries,
    announce,
    ...aheadOf('canaries'),
  });
  if (COLLECTION_FACTS.checks.store === 'rxdb') store.vouchFor('checks', checks.tally);
  if (COLLECTION_FACTS.canaries.store === 'rxdb') store.vouchFor('canaries', canaries.tally);
  return { checks, canaries };
}

/** Of one store; nothing runs until the engine asks for it. */
export function createReplication(parts: ReplicationParts): Replication {
  const { platform, http, store, announce, serverNow, lastServerTime, onCursor } = parts;
  const { meta } = store;
  const report = (error: unknown) => platform.report(error);
  // By a device's clock that was set ahead, rows would be left out that the server still has.
  const sureNow = () => (Number.isFinite(lastServerTime()) ? lastServerTime() : serverNow());
  const api = createDataApi(http, platform.origin);
  const statuses = new StatusesKeeper({
    api,
    store: store.statuses,
    meta,
    serverNow: sureNow,
    lastServerTime,
    report,
  });
  const known = createKnownRows(parts);
  const kept = createReplicas(parts, known);
  // What goes is not sent again: a device's clock that was set ahead must not decide.
  const prune = createPruner({ rows: store.rows, kept, meta, serverNow: lastServerTime });
  const wire = createLogWire(http);
  const loader = createSnapshotLoader({ wire, meta, staging: store.staging, kept });
  const log = new LogDialect({ wire, meta, kept, loader, onCursor });
  const collections = new CollectionsPull({
    comparison: new Comparison({ wire, rows: store.rows, log, elapsed: () => platform.elapsed(), report }),
    store,
    http,
    checks: new ChecksPull({ api, kept: known.checks, meta, announce, report }),
    canaries: createCanariesPull({ api, kept: known.canaries, report }),
    statuses,
    announce,
    serverNow,
    async tidyReplicas() {
      for (const one of Object.values(kept)) if (await one.tidy()) return true;
      return prune();
    },
  });
  return {
    api,
    statuses,
    collections,
    dialects: {
      log,
      plain: createPlainDialect({
        collections,
        tables: createPlainTables({ api, meta, announce, kept, rows: store.rows, serverNow: sureNow }),
        meta,
        serverNow,
      }),
    },
  };
}
