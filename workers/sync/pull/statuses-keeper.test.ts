/** Runs that are fetched ahead: few questions for many checks, and each check has what the server has of its day. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPlainBackend, type PlainBackend, type Row } from '../../../tests/backends/plain-backend.ts';
import { createBus, createNodeSyncPlatform } from '../../../tests/backends/node-sync-platform.ts';
import { createDataApi } from '../network/data-api.ts';
import { createHttpClient } from '../network/http-client.ts';
import { createServerClock } from '../network/server-clock.ts';
import { openUserStore } from '../store/user-store.ts';
import { StatusesKeeper } from './statuses-keeper.ts';

const DAY_MS = 24 * 3_600_000;
const { signal } = new AbortController();
const ids = Array.from({ length: 40 }, () => randomUUID());

let backend: PlainBackend;
beforeAll(async () => {
  backend = await startPlainBackend();
});
afterAll(() => backend.close());
beforeEach(() => {
  backend.tables['check_statuses'] = [];
});

function run(checkId: string, atMs: number): Row {
  const time = new Date(atMs).toISOString();
  return { check_id: checkId, time, created_at: time, status: false, duration: 20 };
}

function openKeeper(clock: { nowMs: number }) {
  const platform = createNodeSyncPlatform(backend.origin, createBus());
  const store = openUserStore({
    storeName: randomUUID(),
    idb: indexedDB,
    newId: randomUUID,
    onBroken: (error) => {
      throw error;
    },
  });
  const keeper = new StatusesKeeper({
    api: createDataApi(createHttpClient(platform, createServerClock(platform)), backend.origin),
    store: store.statuses,
    meta: store.meta,
    serverNow: () => clock.nowMs,
    lastServerTime: () => clock.nowMs,
    report: (error) => {
      throw error;
    },
  });
  return { keeper, close: () => store.close() };
}

async function readAll(pages: AsyncGenerator<void, void>, atPage: (page: number) => Promise<void> | void) {
  let page = 0;
  for (let step = await pages.next(); step.done !== true; step = await pages.next())
    await atPage((page += 1));
}

/** When the runs of each check began, in their order. */
const ofServer = (checkId: string, nowMs: number) =>
  (backend.tables['check_statuses'] ?? [])
    .filter((row) => row['check_id'] === checkId && Date.parse(String(row['created_at'])) >= nowMs - DAY_MS)
    .map(({ time }) => String(time))
    .toSorted();

const ago = fc.integer({ min: 0, max: DAY_MS + 3_600_000 });
/** What is written before each of some rounds: runs of some checks; and who looks at one meanwhile. */
const rounds = fc.array(
  fc.record({
    written: fc.array(fc.tuple(fc.nat(ids.length - 1), ago), { maxLength: 60 }),
    looksAt: fc.option(fc.nat(ids.length - 1), { nil: null }),
    passMs: fc.integer({ min: 5 * 60_000, max: 40 * 60_000 }),
    pageCap: fc.constantFrom(3, 7, 1000),
  }),
  { minLength: 1, maxLength: 4 },
);

test('all runs of the last day are here, whatever a page holds and whoever looks at one meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (list) => {
      backend.tables['check_statuses'] = [];
      const clock = { nowMs: Date.now() };
      const { keeper, close } = openKeeper(clock);
      for (const [at, { written, looksAt, passMs, pageCap }] of list.entries()) {
        clock.nowMs += passMs;
        backend.pageCap = pageCap;
        const taken = new Set(
          backend.tables['check_statuses']?.map((row) => `${row['check_id']}|${row['time']}`),
        );
        for (const [place, agoMs] of written) {
          // Later rounds write what happened since the one before.
          const row = run(ids[place] ?? '', clock.nowMs - (at === 0 ? agoMs : agoMs % passMs));
          if (!taken.has(`${row['check_id']}|${row['time']}`)) backend.tables['check_statuses']?.push(row);
          taken.add(`${row['check_id']}|${row['time']}`);
        }
        await readAll(keeper.prefetch(ids, signal), async (page) => {
          if (page === 1 && looksAt !== null) await keeper.pullCheck(ids[looksAt] ?? '', signal);
        });
        for (const id of ids) {
          const { runs, fromMs, readAtMs } = await keeper.runs(id);
          expect([fromMs !== null, readAtMs]).toEqual([true, clock.nowMs]);
          const here = runs
            .map(({ time }) => time)
            .filter((time) => Date.parse(time) >= clock.nowMs - DAY_MS);
          expect(here.toSorted()).toEqual(ofServer(id, clock.nowMs));
        }
      }
      await close();
    }),
    { numRuns: 25 },
  );
});

test('forty checks are one question, those that were read lately none, and none is read that does not fail', async () => {
  backend.pageCap = 2000;
  const clock = { nowMs: Date.now() };
  backend.tables['check_statuses'] = ids.map((id) => run(id, clock.nowMs - 60_000));
  backend.tables['check_statuses'].push(run(randomUUID(), clock.nowMs - 60_000));
  const { keeper, close } = openKeeper(clock);
  const asked = () => backend.asked.splice(0).filter((path) => path.includes('check_statuses')).length;
  asked();
  await readAll(keeper.prefetch(ids, signal), () => {});
  expect(asked()).toBe(1);
  await readAll(keeper.prefetch(ids, signal), () => {});
  expect(asked()).toBe(0);
  clock.nowMs += 5 * 60_000;
  await readAll(keeper.prefetch(ids, signal), () => {});
  expect(asked()).toBe(1);
  await close();
});

test('what is cut off counts as not read', async () => {
  backend.pageCap = 3;
  const clock = { nowMs: Date.now() };
  backend.tables['check_statuses'] = ids.map((id) => run(id, clock.nowMs - 60_000));
  const { keeper, close } = openKeeper(clock);
  const cut = readAll(keeper.prefetch(ids, signal), (page) => {
    if (page === 2) backend.weather = 'cut';
  });
  await expect(cut).rejects.toThrow();
  backend.weather = 'fine';
  for (const id of ids) expect(await keeper.isDue(id)).toBe(true);
  await readAll(keeper.prefetch(ids, signal), () => {});
  for (const id of ids) expect((await keeper.runs(id)).runs).toHaveLength(1);
  await close();
});
