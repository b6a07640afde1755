/** Puts together what keeps one user's store in step: stores, both dialects, and the small jobs around them. */
import { COLLECTION_FACTS, COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';
import type { Cursor } from '../../../src/contract/sync.ts';
import { canarySchema, checkSchema, type Canary } from '../../../src/contract/http/canary.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import type { RowStore } from '../../store/row-store.ts';
import { storageFailureOf } from '../../store/storage-failure.ts';
import type { Announce } from '../tabs/announcer.ts';
import { createDataApi, type DataApi } from '../network/data-api.ts';
import type { HttpClient } from '../network/http-client.ts';
import { Comparison } from '../log/comparison.ts';
import {
  createKnownReplica,
  createReplicaCollection,
  type ReplicaCollection,
} from '../log/replica-collection.ts';
import { rowSchemaOf } from '../log/row-schemas.ts';
import { LogDialect } from '../log/log-dialect.ts';
import { createLogWire } from '../log/log-wire.ts';
import { createPruner } from '../log/prune.ts';
import { createSnapshotLoader } from '../log/snapshot-loader.ts';
import type { SyncPlatform } from '../platform.ts';
import { createCanariesPull } from '../pull/canaries-pull.ts';
import { ChecksPull } from '../pull/checks-pull.ts';
import { CollectionsPull } from '../pull/collections-pull.ts';
import { createReplicaRows } from '../pull/replica-rows.ts';
import { createPlainDialect } from '../pull/plain-dialect.ts';
import { createPlainTables } from '../pull/plain-tables.ts';
import { StatusesKeeper } from '../pull/statuses-keeper.ts';
import { carryOver } from '../store/carry-over.ts';
import { rxdbPlace } from '../store/store-vouch.ts';
import type { UserStore } from '../store/user-store.ts';

export interface ReplicationParts {
  platform: SyncPlatform;
  http: HttpClient;
  store: UserStore;
  /** Of a first load; as `COLLECTIONS` has them where nobody waits for one. */
  order?: Iterable<CollectionName>;
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
  /** Before the first pull of a term: brings rows over that an earlier version kept elsewhere. */
  prepare: () => Promise<void>;
  dialects: { log: LogDialect; plain: ReturnType<typeof createPlainDialect> };
}

type Replicas = Readonly<Record<CollectionName, ReplicaCollection>>;

/** What is known of collections whose rows are compared with what comes, by both dialects alike. */
function createKnownRows({ store, announce }: ReplicationParts) {
  const know = <Row extends { id: string }>(collection: CollectionName, rows: RowStore<Row>) => {
    if (COLLECTION_FACTS[collection].store !== 'rxdb')
      return createReplicaRows<Row>({ collection, store: rows, announce });
    // RxDB keeps no ledger beside its rows.
    const ahead = store.vouch.writeAhead(rxdbPlace(collection));
    const known = createReplicaRows<Row>({ collection, store: rows, announce, ahead });
    store.vouchFor(collection, known.tally);
    return known;
  };
  return {
    checks: know<Check>('checks', store.checks),
    canaries: know<Canary>('canaries', store.canaries),
    playbooks: know('playbooks', store.rows.playbooks),
  };
}

/** Every collection with the way in which it is kept. */
function createReplicas(
  { store, announce, platform }: ReplicationParts,
  known: ReturnType<typeof createKnownRows>,
): Replicas {
  const { meta, rows } = store;
  const report = (error: unknown) => platform.report(error);
  const keep = (collection: CollectionName) => {
    const parts = { collection, meta, announce, report };
    if (collection === 'checks') return createKnownReplica(parts, checkSchema, known.checks);
    if (collection === 'canaries') return createKnownReplica(parts, canarySchema, known.canaries);
    if (collection === 'playbooks')
      return createKnownReplica(parts, rowSchemaOf(collection), known.playbooks);
    return createReplicaCollection(parts, rows[collection]);
  };
  return Object.fromEntries(COLLECTIONS.map((collection) => [collection, keep(collection)])) as Replicas;
}

const dropFrom = (kept: Replicas) => (collection: CollectionName, ids: readonly string[]) =>
  kept[collection].merge([], ids);

/** Of one store; nothing runs until the engine asks for it. */
export function createReplication(parts: ReplicationParts): Replication {
  const { platform, http, store, order = COLLECTIONS, announce, serverNow, lastServerTime, onCursor } = parts;
  const { meta, rows } = store;
  const report = (error: unknown) => platform.report(error);
  const elapsed = () => platform.elapsed();
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
  const prune = createPruner({ rows, drop: dropFrom(kept), meta, elapsed, serverNow: lastServerTime });
  const wire = createLogWire(http);
  const loader = createSnapshotLoader({ wire, meta, staging: store.staging, elapsed, kept });
  const log = new LogDialect({ wire, meta, kept, loader, order, onCursor });
  const collections = new CollectionsPull({
    comparison: new Comparison({ wire, rows, log, elapsed, report }),
    store,
    http,
    checks: new ChecksPull({ api, kept: known.checks, meta, announce, report }),
    canaries: createCanariesPull({ api, kept: known.canaries, report }),
    statuses,
    announce,
    serverNow,
    elapsed,
    async tidyReplicas() {
      for (const one of Object.values(kept)) if (await one.tidy()) return true;
      return prune();
    },
  });
  return {
    api,
    statuses,
    collections,
    async prepare() {
      try {
        await carryOver({ store, idb: platform.idb, kept });
      } catch (error) {
        // They stay where they are, and are read there, until there is room.
        if (storageFailureOf(error)?.code !== 'quota') throw error;
        report(error);
      }
    },
    dialects: {
      log,
      plain: createPlainDialect({
        collections,
        tables: createPlainTables({ api, meta, announce, kept, rows, serverNow: sureNow }),
        meta,
        serverNow,
      }),
    },
  };
}
