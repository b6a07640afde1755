/**
 * A first load by pages that the server made once for all devices leaves what a load row by row leaves: whatever is
 * written meanwhile, however old the pages are, and wherever the load is cut short (design §4 law 10).
 */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import {
  readChanges,
  readSmallSnapshots,
  readSnapshot,
} from '../../server/replication/change-log/change-feed.ts';
import { SnapshotPagesCache } from '../../server/replication/change-log/snapshot-pages.ts';
import { readState } from '../../server/replication/change-log/state-query.ts';
import { COLLECTIONS, type CollectionName, type ReplicatedRow } from '../../src/contract/collections.ts';
import { snapshotPagesSchema, type Cursor } from '../../src/contract/sync.ts';
import type { LogWire } from '../../workers/sync/log/log-wire.ts';
import {
  createReplicaCollection,
  type ReplicaCollection,
} from '../../workers/sync/log/replica-collection.ts';
import { createSnapshotLoader } from '../../workers/sync/log/snapshot-loader.ts';
import { keepsPages } from '../../workers/store/packed-row-store.ts';
import type { RowStore } from '../../workers/store/row-store.ts';
import { openUserStore } from '../../workers/sync/store/user-store.ts';

const LOADED = ['configs', 'config_relationships', 'components'] as const satisfies CollectionName[];
const PART_ROWS = 6;
const ALL = { readable: [...COLLECTIONS], now: () => 0 };
const signal = new AbortController().signal;

/** What happens before a request is answered. */
type Event =
  | { kind: 'write'; dice: number }
  | { kind: 'cut' }
  | { kind: 'die' }
  | { kind: 'damage' }
  | { kind: 'nothing' };

const events: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('write' as const), dice: fc.nat(1000) }),
    fc.constantFrom<Event>({ kind: 'cut' }, { kind: 'die' }, { kind: 'damage' }, { kind: 'nothing' }),
  ),
  { maxLength: 25 },
);

function write(db: Database, dice: number): Promise<number> {
  const any = (table: string) => `(select id from ${table} order by md5(id::text || '${dice}') limit 1)`;
  const link = `(select ctid from config_relationships order by md5(related_id::text || '${dice}') limit 1)`;
  const statements = [
    `update config_items set name = 'name ${dice}' where id = ${any('config_items')}`,
    `insert into config_items (config_class, type, name) values ('Pod', 'Pod', 'new ${dice}')`,
    `update config_items set deleted_at = now() - interval '8 days' where id = ${any('config_items')}`,
    `insert into config_relationships (config_id, related_id, relation)
     select mine.id, other.id, 'sends 🚀' from config_items as mine, config_items as other
     order by md5(mine.id::text || other.id::text || '${dice}') limit 1 on conflict do nothing`,
    `delete from config_relationships where ctid = ${link}`,
    `update components set name = 'part ${dice}' where id = ${any('components')}`,
  ];
  return db.run(statements[dice % statements.length] ?? '');
}

/** A device whose worker may end at any request; the next one goes on with what the one before has stored. */
function openDevice(db: Database, cache: SnapshotPagesCache, pending: Event[], hasSmall: boolean) {
  let nowMs = 0;
  let diesWhenStaged = false;
  const happen = async (): Promise<Event['kind']> => {
    const event = pending.shift() ?? { kind: 'nothing' };
    if (event.kind === 'write') await write(db, event.dice);
    if (event.kind === 'cut') throw new Error('cut');
    if (event.kind === 'die') diesWhenStaged = true;
    // The line is slow enough that what came is staged now and then.
    nowMs += 1500;
    return event.kind;
  };
  const wire: LogWire = {
    async changes({ cursor, collection }) {
      await happen();
      const collections = collection === undefined ? null : [collection];
      return readChanges(db, ALL, { cursor, limit: 5, collections });
    },
    snapshot: ({ collection, after }) => readSnapshot(db, collection, { after, limit: PART_ROWS }),
    async smallSnapshots() {
      await happen();
      return hasSmall ? readSmallSnapshots(db, LOADED) : [];
    },
    async snapshotPages(question) {
      const kind = await happen();
      const { bytes, cursor } = await cache.get(db, question);
      const part = snapshotPagesSchema.parse(JSON.parse(gunzipSync(bytes).toString()));
      const pages =
        kind === 'damage' ? part.pages.map((one) => ({ ...one, body: one.body.slice(1) })) : part.pages;
      return { ...part, pages, cursor };
    },
  };
  const store = openUserStore({
    storeName: randomUUID(),
    idb: indexedDB,
    newId: () => randomUUID(),
    onBroken: (error) => {
      throw error;
    },
  });
  const { meta } = store;
  const staging: typeof store.staging = {
    ...store.staging,
    async addPages(pages) {
      await store.staging.addPages(pages);
      const dies = diesWhenStaged;
      diesWhenStaged = false;
      if (dies) throw new Error('ended before it was noted');
    },
  };
  const parts = { meta, announce: () => undefined, report: () => undefined };
  const kept = Object.fromEntries(
    COLLECTIONS.map((name) => [
      name,
      createReplicaCollection({ ...parts, collection: name }, store.rows[name]),
    ]),
  ) as Record<CollectionName, ReplicaCollection>;
  const loader = () => createSnapshotLoader({ wire, meta, staging, elapsed: () => nowMs, kept });
  return { loader, wire, kept, store };
}

function pagesOf(rows: RowStore<ReplicatedRow>) {
  if (!keepsPages(rows)) throw new Error('no pages are kept of it');
  return rows.loadPages();
}

const byId = (rows: readonly ReplicatedRow[]) => new Map(rows.map((row) => [row.id, row]));

forEachDatabase((_, open) => {
  let db: Database;
  let cache: SnapshotPagesCache;

  beforeAll(async () => {
    db = await open();
    const size = { checks: 0, configs: 40, components: 15, incidents: 0, relationships: 30, seed: 3 };
    await seedDatabase(db, { ...size, nowMs: Date.now() });
    // One for all runs: later ones get pages that others were given long before.
    cache = new SnapshotPagesCache(() => 0, PART_ROWS);
  });

  test('is what the server has, and holds no row twice', async () => {
    const property = fc.asyncProperty(events, fc.boolean(), async (pending, hasSmall) => {
      const { epoch, head } = await readState(db);
      const start: Cursor = `${epoch}.${head}`;
      const { loader, wire, kept, store } = openDevice(db, cache, [...pending], hasSmall);
      await loader().begin();
      for (const collection of LOADED) {
        for (;;) {
          const worker = loader();
          const isDone = await worker
            .askSmall(signal)
            .then(() => worker.load(collection, start, signal))
            .then(
              () => true,
              () => false,
            );
          if (isDone) break;
        }
      }
      for (let cursor = start; ;) {
        const answer = await wire.changes({ cursor }, signal).catch((error: unknown) => {
          if (error instanceof Error && error.message === 'cut') return null;
          throw error;
        });
        if (answer === null) continue;
        if (answer.kind !== 'page') throw new Error('start over');
        for (const { collection, id, row } of answer.changes)
          await kept[collection].merge(row === null ? [] : [row], row === null ? [id] : []);
        cursor = answer.cursor;
        if (answer.is_caught_up) break;
      }
      for (const collection of LOADED) {
        const server = await readSnapshot(db, collection, { after: null, limit: 10_000 });
        expect(byId(await store.rows[collection].loadAll()), collection).toEqual(byId(server.rows));
        expect(await store.meta.get(`whole:${collection}`)).toBe(true);
        const pages = await pagesOf(store.rows[collection]);
        const ids = pages.flatMap(({ body }) => (JSON.parse(body) as ReplicatedRow[]).map(({ id }) => id));
        expect(ids).toHaveLength(new Set(ids).size);
        expect(ids).toHaveLength(pages.reduce((sum, { count }) => sum + count, 0));
      }
      await store.vouch.verify({ isThorough: true });
      await store.close();
    });
    await fc.assert(property, { numRuns: 16, seed: 24 });
  });

  test('small collections that came for one load are not taken for a later one', async () => {
    const { loader, store } = openDevice(db, cache, [], true);
    const worker = loader();
    await worker.begin();
    await worker.askSmall(signal);
    await write(db, 0);
    const { epoch, head } = await readState(db);
    await worker.begin();
    await worker.load('configs', `${epoch}.${head}`, signal);
    const server = await readSnapshot(db, 'configs', { after: null, limit: 10_000 });
    expect(byId(await store.rows.configs.loadAll())).toEqual(byId(server.rows));
    await store.close();
  });

  test('pages are made once for all who ask, and again when much has changed or another database is there', async () => {
    let reads = 0;
    const watched: Database = {
      ...db,
      text: (sql, params) => {
        if (sql.includes('feed_configs')) reads += 1;
        return db.text(sql, params);
      },
    };
    const fresh = new SnapshotPagesCache(() => 0, 10_000);
    const ask = () => fresh.get(watched, { collection: 'configs', after: null });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first.bytes).toBe(second.bytes);
    expect((await ask()).bytes).toBe(first.bytes);
    expect(reads).toBe(1);
    await write(db, 0);
    const later = await ask();
    expect(later.bytes).toBe(first.bytes);
    const told = snapshotPagesSchema.parse(JSON.parse(gunzipSync(later.bytes).toString()));
    // It doesn't have the change, and says so.
    expect(later.cursor).toBe(told.cursor);
    await db.run(`update change_log_state set epoch = 'another'`);
    expect((await ask()).cursor).toMatch(/^another\./);
    expect(reads).toBe(2);
  });
});
