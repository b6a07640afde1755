/** What a device lets go of is what the server no longer counts, whatever is done to the device's clock. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createBus, createNodeSyncPlatform } from '../../../tests/backends/node-sync-platform.ts';
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import type { CheckStatus } from '../../../src/domain/check/check.ts';
import { createReplication } from '../engine/replication.ts';
import { createServerLinks } from '../network/server-links.ts';
import { openUserStore } from '../store/user-store.ts';
import { createPruner } from './prune.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;
/** Of a visit, before a device goes through what it has never gone through. */
const FIRST_MS = 60_000;

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

const storeNamed = (storeName: string, idb = new IDBFactory()) =>
  openUserStore({
    storeName,
    idb,
    newId: () => randomUUID(),
    onBroken: (error) => {
      throw error;
    },
  });

/** A device that heard of the server's time, perhaps, and whose own clock is somewhere else by now. */
async function deviceWith(clock: { skewMs: number; isTold: boolean }) {
  let skewMs = 0;
  let elapsedMs = 0;
  const idb = new IDBFactory();
  const answer = () => new Response('{}', { headers: { date: new Date(NOW_MS).toUTCString() } });
  const outside = {
    ...createNodeSyncPlatform('http://prune.test', createBus()),
    idb,
    now: () => NOW_MS + skewMs,
    elapsed: () => elapsedMs,
    fetch: async () => answer(),
  };
  const links = createServerLinks(outside, () => null);
  if (clock.isTold) await links.http.json({ path: '/api/capabilities' });
  ({ skewMs } = clock);
  const store = storeNamed('holdfast-prune', idb);
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
      elapsedMs += FIRST_MS;
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

/** An empty store and pruners of it, each as a visit makes one; the collections whose parts were read, in their order. */
function storeWithVisits(partsOf: (collection: CollectionName) => number) {
  const store = storeNamed('holdfast-visits');
  const looked: CollectionName[] = [];
  const whenRead = vi.fn<(collection: CollectionName) => void>();
  for (const collection of COLLECTIONS)
    vi.spyOn(store.rows[collection], 'loadParts').mockImplementation(async function* read() {
      for (let at = 0; at < partsOf(collection); at += 1) {
        whenRead(collection);
        looked.push(collection);
        yield [];
      }
    });
  const { rows, meta } = store;
  const visit = (sinceMs = FIRST_MS) => {
    let elapsedMs = 0;
    const drop = async () => {};
    const prune = createPruner({ rows, drop, meta, serverNow: () => NOW_MS, elapsed: () => elapsedMs });
    elapsedMs = sinceMs;
    return prune;
  };
  return { store, looked, whenRead, visit };
}

test('a step reads one part, a visit goes on where a shorter one stopped, and none begins again within the hour', async () => {
  const visits = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), {
    minLength: COLLECTIONS.length,
    maxLength: COLLECTIONS.length,
  });
  await fc.assert(
    fc.asyncProperty(visits, sizes, async (lengths, counts) => {
      const partsOf = (collection: CollectionName) => counts[COLLECTIONS.indexOf(collection)] ?? 0;
      const { store, looked, visit } = storeWithVisits(partsOf);
      const expected: CollectionName[] = [];
      let left = [...COLLECTIONS];
      for (const count of [...lengths, Infinity]) {
        const prune = visit();
        for (let at = 0; at < count && (await prune()); at += 1);
        let stepsLeft = count;
        for (const collection of left) {
          const parts = partsOf(collection);
          // Incidents and their records go together, in one step.
          const steps = collection === 'incidents' ? 0 : parts;
          const read = steps === 0 && stepsLeft > 0 ? parts : Math.min(steps, stepsLeft);
          expected.push(...Array.from({ length: read }, () => collection));
          stepsLeft -= steps + 1;
          if (stepsLeft < 0) break;
          left = left.slice(1);
        }
        expect(looked).toEqual(expected);
      }
      expect(await visit()()).toBe(false);
      await store.close();
    }),
    { numRuns: 20 },
  );
});

test('a device that has gone through nothing yet begins a minute after its visit began', async () => {
  const { store, looked, visit } = storeWithVisits(() => 1);
  expect(await visit(FIRST_MS - 1)()).toBe(false);
  expect(looked).toEqual([]);
  expect(await visit(FIRST_MS)()).toBe(true);
  expect(looked).toEqual(['incidents']);
  await store.close();
});

test('a collection that cannot be read does not hold up the others', async () => {
  const { store, looked, whenRead, visit } = storeWithVisits(() => 1);
  whenRead.mockImplementationOnce(() => {
    throw new Error('damaged');
  });
  const prune = visit();
  await expect(prune()).rejects.toThrow('damaged');
  while (await prune());
  expect(looked).toEqual(COLLECTIONS.slice(1));
  await store.close();
});

test('an incident that goes takes its records along; over the cap goes what changed longest ago', async () => {
  const { store, quietMoments } = await deviceWith({ skewMs: 0, isTold: true });
  const { incidents, incident_records: records, playbook_runs: runs } = store.rows;
  const old = Array.from({ length: 16 }, (_, at) =>
    rowOf('incidents', 91 * DAY_MS, `old-${at.toString(16)}`),
  );
  const open = { id: 'open-2', closed: null };
  await incidents.apply({ upserts: [...old, open], deletedIds: [] });
  const recordsOf = [...old, open].map(({ id }) => ({ id: `record-${id}`, incident_id: id }));
  await records.apply({ upserts: recordsOf, deletedIds: [] });
  const readRecords = vi.spyOn(records, 'loadParts');
  const over = 3;
  const many = Array.from({ length: COLLECTION_FACTS.playbook_runs.cap + over }, (_, at) =>
    rowOf('playbook_runs', (at + 1) * 1000, `run-${at}`),
  );
  await runs.apply({ upserts: many, deletedIds: [] });
  await quietMoments();
  expect((await incidents.loadAll()).map(({ id }) => id)).toEqual([open.id]);
  expect((await records.loadAll()).map(({ id }) => id)).toEqual([`record-${open.id}`]);
  // Once for what goes with incidents, once for what grew too much; not for each incident.
  expect(readRecords).toHaveBeenCalledTimes(2);
  const staying = new Set((await runs.loadAll()).map(({ id }) => id));
  expect(many.filter(({ id }) => !staying.has(id))).toEqual(many.slice(-over));
  await store.close();
});
