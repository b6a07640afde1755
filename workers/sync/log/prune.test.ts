/** What a device lets go of is what the server no longer counts, whatever is done to the device's clock. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createBus, createNodeSyncPlatform } from '../../../tests/backends/node-sync-platform.ts';
import { COLLECTIONS, type CollectionName, type ReplicatedRow } from '../../../src/contract/collections.ts';
import type { CheckStatus } from '../../../src/domain/check/check.ts';
import { createReplication } from '../engine/replication.ts';
import { createServerLinks } from '../network/server-links.ts';
import { openUserStore } from '../store/user-store.ts';
import { createPruner } from './prune.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;

/** How long the server counts rows of each collection that grows old, and by which of their times. */
const SCOPES = {
  incidents: { field: 'closed', days: 90 },
  config_changes: { field: 'created_at', days: 7 },
  job_histories: { field: 'created_at', days: 2 },
  notification_history: { field: 'created_at', days: 7 },
  playbook_runs: { field: 'created_at', days: 7 },
  configs: { field: 'deleted_at', days: 7 },
} as const satisfies Partial<Record<CollectionName, { field: string; days: number }>>;
type Scoped = keyof typeof SCOPES;
const SCOPED = Object.keys(SCOPES) as Scoped[];

const CHECK = 'c0ffee00-0000-4000-8000-000000000000';
const KEPT_RUNS_MS = DAY_MS;

const rowOf = (collection: Scoped, ageMs: number, id: string): ReplicatedRow => ({
  id,
  [SCOPES[collection].field]: new Date(NOW_MS - ageMs).toISOString(),
});
const runOf = (ageMs: number): CheckStatus => ({
  check_id: CHECK,
  time: new Date(NOW_MS - ageMs).toISOString(),
  status: true,
  duration: 1,
  message: null,
  error: null,
  invalid: null,
  created_at: new Date(NOW_MS - ageMs).toISOString(),
});

/** A device that heard of the server's time, perhaps, and whose own clock is somewhere else by now. */
async function deviceWith(clock: { skewMs: number; isTold: boolean }) {
  let skewMs = 0;
  const idb = new IDBFactory();
  const answer = () => new Response('{}', { headers: { date: new Date(NOW_MS).toUTCString() } });
  const outside = {
    ...createNodeSyncPlatform('http://prune.test', createBus()),
    idb,
    now: () => NOW_MS + skewMs,
    elapsed: () => 0,
    fetch: async () => answer(),
  };
  const links = createServerLinks(outside, () => null);
  if (clock.isTold) await links.http.json({ path: '/api/capabilities' });
  ({ skewMs } = clock);
  const store = openUserStore({
    storeName: 'holdfast-prune',
    idb,
    newId: () => randomUUID(),
    onBroken: (error) => {
      throw error;
    },
  });
  const replication = createReplication({
    platform: links.platform,
    http: links.http,
    store,
    announce: () => {},
    serverNow: () => links.clock.now(),
    lastServerTime: () => links.clock.told(),
    onCursor: () => Promise.resolve(),
  });
  const { signal } = new AbortController();
  return {
    store,
    quietMoments: async () => {
      replication.collections.tidyLater();
      while (await replication.collections.background(signal));
    },
  };
}

const skew = fc.oneof(
  fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }),
  fc.constantFrom(DAY_MS, 92 * DAY_MS, -1_700_000_000_000),
);
// Not within a minute of the border: the server's time comes in whole seconds.
const aged = fc.record({
  collection: fc.constantFrom(...SCOPED),
  shareOfScope: fc.oneof(
    fc.double({ min: 0, max: 0.99, noNaN: true }),
    fc.double({ min: 1.01, max: 3, noNaN: true }),
  ),
});

test('whatever the clock of a device says, no row goes that the server still counts; with its time, what is too old goes', async () => {
  const scene = fc.record({
    skewMs: skew,
    isTold: fc.boolean(),
    rows: fc.array(aged, { minLength: 1, maxLength: 12 }),
    runAges: fc.array(fc.integer({ min: 0, max: KEPT_RUNS_MS - 60_000 }), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ skewMs, isTold, rows, runAges }) => {
      const { store, quietMoments } = await deviceWith({ skewMs, isTold });
      const written = rows.map(({ collection, shareOfScope }, at) => {
        const ageMs = shareOfScope * SCOPES[collection].days * DAY_MS;
        return { collection, isCounted: shareOfScope < 1, row: rowOf(collection, ageMs, `row-${at}`) };
      });
      for (const { collection, row } of written)
        await store.rows[collection].apply({ upserts: [row], deletedIds: [] });
      const runs = [...new Map(runAges.map((ageMs) => [ageMs, runOf(ageMs)])).values()];
      await store.statuses.apply({ upserts: runs, deletedIds: [] });
      const known = { fromMs: NOW_MS - HOUR_MS, cursor: new Date(NOW_MS).toISOString(), lookedAtMs: 1 };
      await store.meta.set('statuses', { [CHECK]: { ...known, readAtMs: NOW_MS } });
      await quietMoments();
      for (const { collection, isCounted, row } of written) {
        const isKept = (await store.rows[collection].loadAll()).some(({ id }) => id === row.id);
        if (isCounted || isTold)
          expect({ collection, row, isKept }).toEqual({ collection, row, isKept: isCounted || !isTold });
      }
      expect(await store.statuses.loadAll(CHECK)).toHaveLength(runs.length);
      await store.close();
    }),
    { numRuns: 25 },
  );
}, 120_000);

/** An empty store and pruners of it, each as a visit makes one; the collections that they read, in their order. */
function storeWithVisits() {
  const store = openUserStore({
    storeName: 'holdfast-visits',
    idb: new IDBFactory(),
    newId: () => randomUUID(),
    onBroken: (error) => {
      throw error;
    },
  });
  const looked: CollectionName[] = [];
  const whenRead = vi.fn<(collection: CollectionName) => void>();
  for (const collection of COLLECTIONS)
    vi.spyOn(store.rows[collection], 'loadAll').mockImplementation(async () => {
      looked.push(collection);
      whenRead(collection);
      return [];
    });
  const { rows, meta } = store;
  const visit = () => createPruner({ rows, drop: async () => {}, meta, serverNow: () => NOW_MS });
  return { store, looked, whenRead, visit };
}

test('a visit goes on where a shorter one stopped, and none begins again within the hour', async () => {
  const cuts = fc.array(fc.integer({ min: 0, max: COLLECTIONS.length }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(cuts, async (moments) => {
      const { store, looked, visit } = storeWithVisits();
      for (const count of moments) {
        const prune = visit();
        for (let at = 0; at < count; at += 1) await prune();
      }
      const atMost = moments.reduce((sum, count) => sum + count, 0);
      expect(looked).toEqual(COLLECTIONS.slice(0, atMost));
      const last = visit();
      while (await last());
      expect(looked).toEqual(COLLECTIONS);
      expect(await visit()()).toBe(false);
      await store.close();
    }),
    { numRuns: 20 },
  );
});

test('a collection that cannot be read does not hold up the others', async () => {
  const { store, looked, whenRead, visit } = storeWithVisits();
  whenRead.mockImplementationOnce(() => {
    throw new Error('damaged');
  });
  const prune = visit();
  await expect(prune()).rejects.toThrow('damaged');
  while (await prune());
  expect(looked).toEqual(COLLECTIONS);
  await store.close();
});
