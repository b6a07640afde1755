/** A device against our real server: what it holds of a collection is what the server has, whatever changed it. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createBus, createNodeSyncPlatform } from '../backends/node-sync-platform.ts';
import { COLLECTIONS, type CollectionName } from '../../src/contract/collections.ts';
import { changesAnswerSchema, snapshotPageSchema } from '../../src/contract/sync.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../security/support/test-server.ts';
import { DifferenceError } from '../../workers/sync/log/comparison.ts';
import { createReplication } from '../../workers/sync/engine/replication.ts';
import { createServerLinks } from '../../workers/sync/network/server-links.ts';
import { openUserStore } from '../../workers/sync/store/user-store.ts';

const SIZE = { checks: 12, configs: 30, components: 6, incidents: 6, changes: 20, jobs: 6, seed: 3 };
const MORE = { relationships: 20, insights: 8 };
const TEN_MINUTES_MS = 600_001;
const { signal } = new AbortController();

/** A device of somebody with that role (an admin may read everything), after its first load; its time passes when it is told to. */
async function openDevice(server: TestServer, role = 'admin') {
  const { email } = await server.account(role);
  const browser = openTestBrowser(server.url);
  await browser.signIn(email, PASSWORD);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const reports: unknown[] = [];
  const asked: string[] = [];
  let elapsedMs = 0;
  const outside = {
    ...createNodeSyncPlatform(server.url, createBus()),
    idb: new IDBFactory(),
    elapsed: () => elapsedMs,
    fetch: (url: string, init: RequestInit) => {
      asked.push(new URL(url).pathname + new URL(url).search);
      return fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), cookie } });
    },
    report: (error: unknown) => void reports.push(error),
  };
  const { platform, http, clock } = createServerLinks(outside, () => null);
  const store = openUserStore({
    storeName: `holdfast-${randomUUID()}`,
    idb: outside.idb,
    newId: () => randomUUID(),
    onBroken: (error) => void reports.push(error),
  });
  const { dialects, collections } = createReplication({
    platform,
    http,
    store,
    announce: () => {},
    serverNow: () => clock.now(),
    lastServerTime: () => clock.told(),
    onCursor: () => Promise.resolve(),
  });
  // A database that is too busy to answer is asked again, as the engine does.
  await vi.waitFor(() => dialects.log.firstLoad(signal, () => {}), { timeout: 60_000, interval: 1000 });
  await dialects.log.pull(signal);
  const idsOf = async (name: CollectionName) =>
    (await store.rows[name].loadAll()).map(({ id }) => id).toSorted();
  const serverIds = async (name: CollectionName) => {
    const path = `/api/sync/snapshot?collection=${name}&limit=5000`;
    return snapshotPageSchema
      .parse(await http.json({ path }))
      .rows.map(({ id }) => id)
      .toSorted();
  };
  return {
    store,
    reports,
    asked,
    idsOf,
    serverIds,
    pull: () => dialects.log.pull(signal),
    ask: async (query: string) => {
      const answer = changesAnswerSchema.parse(await http.json({ path: `/api/sync/changes${query}` }));
      if (answer.kind !== 'page') throw new Error(answer.reason);
      return answer;
    },
    /** Ten minutes pass; then nothing else is to be done for a while but what comes after each piece of work. */
    quietMoments: async (after = () => Promise.resolve()) => {
      elapsedMs += TEN_MINUTES_MS;
      while (await collections.background(signal)) await after();
    },
    async close() {
      await store.close();
    },
  };
}

forEachDatabase((_, open) => {
  let db: Database;
  let server: TestServer;
  let device: Awaited<ReturnType<typeof openDevice>>;
  /** There from the start: a person who comes later changes `resources`, which then isn't counted anew at once. */
  let viewer: Awaited<ReturnType<typeof openDevice>>;

  beforeAll(async () => {
    db = await open();
    await seedDatabase(db, { ...SIZE, ...MORE, nowMs: Date.now() });
    server = await startTestServer(db);
    viewer = await openDevice(server, 'viewer');
    device = await openDevice(server);
    return async () => {
      await viewer.close();
      await device.close();
      await server.stop();
    };
  }, 120_000);

  describe('compared with the server', () => {
    test('a device that holds what the server has loads nothing again', async () => {
      for (const name of COLLECTIONS) expect(await device.idsOf(name)).toEqual(await device.serverIds(name));
      device.asked.length = 0;
      await device.quietMoments();
      expect(device.reports).toEqual([]);
      const tallies = device.asked.filter((path) => path.includes('tally=true'));
      expect(tallies).toHaveLength(COLLECTIONS.length);
      expect(device.asked.filter((path) => path.includes('/snapshot'))).toEqual([]);
    });

    test('rows that are missing or left over are found in each collection, whatever took or left them', async () => {
      const scene = fc.record({
        collection: fc.constantFrom(...COLLECTIONS),
        /** Shares of the rows that are gone. */
        gone: fc.constantFrom('none', 'first', 'all'),
        ghosts: fc.uniqueArray(fc.uuid(), { maxLength: 2 }),
        isPulledMeanwhile: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(scene, async ({ collection, gone, ghosts, isPulledMeanwhile }) => {
          const there = await device.idsOf(collection);
          const isKeyed = collection !== 'config_relationships';
          const deletedIds = gone === 'all' ? there : gone === 'first' ? there.slice(0, 1) : [];
          // As a worker would write it that is mistaken: nothing about the store itself is wrong.
          const upserts = isKeyed ? ghosts.map((id) => ({ id })) : [];
          await device.store.rows[collection].apply({ upserts, deletedIds });
          if (isPulledMeanwhile) await device.pull();
          device.reports.length = 0;
          await device.quietMoments();
          expect(await device.idsOf(collection)).toEqual(await device.serverIds(collection));
          const isDamaged = upserts.length + deletedIds.length > 0;
          expect(device.reports.map((error) => error instanceof DifferenceError)).toEqual(
            isDamaged ? [true] : [],
          );
        }),
        { numRuns: 40 },
      );
    }, 180_000);

    test('what a fresh load does not mend is loaded once, not again and again', async () => {
      const [first = ''] = await device.idsOf('components');
      // A row that this version can't read is left out each time.
      const { rows } = device.store;
      const loadParts = rows.components.loadParts.bind(rows.components);
      rows.components.loadParts = async function* parts() {
        for await (const part of loadParts()) yield part.filter(({ id }) => id !== first);
      };
      device.asked.length = 0;
      for (let times = 0; times < 3; times += 1) await device.quietMoments();
      rows.components.loadParts = loadParts;
      expect(device.asked.filter((path) => path.includes('/snapshot'))).toHaveLength(1);
    });

    test('nobody is told of a collection that they may not read', async () => {
      const { readable } = await viewer.ask('');
      expect(readable.length).toBeLessThan(COLLECTIONS.length);
      const { cursor } = await viewer.ask('');
      const told: CollectionName[] = [];
      for (const name of COLLECTIONS) {
        const { tally } = await viewer.ask(`?cursor=${cursor}&collections=${name}&tally=true`);
        if (tally !== undefined) told.push(name);
      }
      expect(told).toEqual(readable);
    });

    test('nothing is said of a collection that changed since', async () => {
      await server.db.run(`update incidents set title = title || '.'`);
      device.asked.length = 0;
      device.reports.length = 0;
      await device.quietMoments();
      expect(device.reports).toEqual([]);
      await device.pull();
      expect(await device.idsOf('incidents')).toEqual(await device.serverIds('incidents'));
    });

    test('news that comes while a collection is read is no difference, and hides none', async () => {
      const scene = fc.record({
        isDamaged: fc.boolean(),
        /** Pieces of work between the question about components and the news of one. */
        pause: fc.nat(1),
        times: fc.integer({ min: 1, max: 4 }),
      });
      await fc.assert(
        fc.asyncProperty(scene, async ({ isDamaged, pause, times }) => {
          const upserts = isDamaged ? [{ id: randomUUID() }] : [];
          await device.store.rows.configs.apply({ upserts, deletedIds: [] });
          device.reports.length = 0;
          device.asked.length = 0;
          let [wait, left] = [pause, times];
          await device.quietMoments(async () => {
            if (left === 0 || !device.asked.some((path) => path.includes('collections=components'))) return;
            wait -= 1;
            if (wait >= 0) return;
            await server.db.run(`insert into components (name, external_id, type, status)
              values ('news', gen_random_uuid(), 'App', 'healthy')`);
            await device.pull();
            device.asked.length = 0;
            wait = pause;
            left -= 1;
          });
          expect(left).toBeLessThan(times);
          expect(await device.idsOf('configs')).toEqual(await device.serverIds('configs'));
          expect(device.reports.map((error) => error instanceof DifferenceError)).toEqual(
            isDamaged ? [true] : [],
          );
        }),
        { numRuns: 12 },
      );
    }, 180_000);
  });
});
