/** The queue's law on both databases: whatever happens in whatever order, one attempt ends an item, once. */
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { forEachDatabase } from '../db/test-databases.ts';
import { nodePlatform } from '../platform.ts';
import { createJobMetrics } from './job-metrics.ts';
import { createLeaseQueue, type AttemptEnd, type LeaseQueueSpec } from './lease-queue.ts';
import type { QueueTable } from './lease-queue-query.ts';
import { createLeases } from './leases.ts';

const silent = pino({ level: 'silent' });
const WORKERS = 3;
const ITEMS = ['a', 'b', 'c'];
const MOST_ATTEMPTS = 2;

interface Item {
  id: string;
  attempts: number;
}

const IS_WAITING = `item.state = 'waiting'`;
const TABLE: QueueTable<Item> = {
  name: 'test_items',
  key: 'id',
  where: `${IS_WAITING} and item.due <= $1::timestamptz`,
  order: 'item.id',
  claim: (tx, keys) =>
    tx.rows(
      z.custom<Item>(),
      `update test_items as item set attempts = attempts + 1 where item.id = any($1) and ${IS_WAITING}
       returning id, attempts`,
      [keys],
    ),
};

/** Writes how it ended, and that it did. */
const end = ({ id }: Item, kind: AttemptEnd['kind']): AttemptEnd => ({
  kind,
  write: async (tx) => {
    const state = kind === 'retried' ? 'waiting' : kind;
    await tx.run('update test_items set state = $2 where id = $1', [id, state]);
    await tx.run('insert into test_ends (id, kind) values ($1, $2)', [id, kind]);
  },
});

/** A server's worker whose work takes as long as the test wants. */
function createWorker(db: Database) {
  const deps = { db, platform: nodePlatform, logger: silent, metrics: createJobMetrics() };
  let hand: { item: Item; succeed: () => void; fail: () => void; ended: Promise<unknown> } | null = null;
  let began = () => undefined as void;
  const spec: LeaseQueueSpec<Item> = {
    name: 'test',
    table: TABLE,
    concurrency: 1,
    everyMs: 1000,
    handle: (item) =>
      new Promise((resolve, reject) => {
        const succeed = () => resolve(end(item, 'done'));
        hand = { item, succeed, fail: () => reject(new Error('no')), ended: Promise.resolve() };
        began();
      }),
    failed: (item) => end(item, item.attempts < MOST_ATTEMPTS ? 'retried' : 'dead'),
  };
  const queue = createLeaseQueue({ ...deps, leases: createLeases(deps) }, spec);
  return {
    metrics: deps.metrics.queue('test'),
    holds: () => hand?.item.id ?? null,
    /** Takes the next one, if any; answers what that is. */
    async take(): Promise<string | null> {
      const stop = new AbortController();
      const begins = new Promise<void>((resolve) => {
        began = resolve;
      });
      const ended = queue.drain(stop.signal);
      await Promise.race([begins, ended]);
      stop.abort();
      if (hand !== null) hand.ended = ended;
      return hand?.item.id ?? null;
    },
    async finish(isGood: boolean): Promise<void> {
      const held = hand;
      hand = null;
      if (isGood) held?.succeed();
      else held?.fail();
      await held?.ended;
    },
  };
}

interface World {
  db: Database;
  workers: ReturnType<typeof createWorker>[];
}

interface ItemModel {
  state: 'waiting' | 'done' | 'dead';
  attempts: number;
  /** Who took it last. */
  newest: number | null;
  isHeld: boolean;
}

interface Model {
  items: Map<string, ItemModel>;
  hands: (string | null)[];
  lost: number[];
}

type Step = fc.AsyncCommand<Model, World>;

const take = (at: number): Step => ({
  check: ({ hands }) => hands[at] === null,
  async run({ items, hands }, { workers }) {
    const next = [...items].find(([, item]) => item.state === 'waiting' && !item.isHeld);
    expect(await workers[at]?.take()).toBe(next?.[0] ?? null);
    if (next === undefined) return;
    hands[at] = next[0];
    Object.assign(next[1], { attempts: next[1].attempts + 1, newest: at, isHeld: true });
  },
  toString: () => `take ${at}`,
});

const finish = (at: number, isGood: boolean): Step => ({
  check: ({ hands }) => hands[at] !== null,
  async run(model, { workers }) {
    await workers[at]?.finish(isGood);
    const item = model.items.get(model.hands[at] ?? '');
    model.hands[at] = null;
    if (item?.newest === at) {
      item.isHeld = false;
      if (isGood) item.state = 'done';
      else if (item.attempts >= MOST_ATTEMPTS) item.state = 'dead';
    } else model.lost[at] = (model.lost[at] ?? 0) + 1;
    expect(workers[at]?.metrics.lost).toBe(model.lost[at]);
  },
  toString: () => `${isGood ? 'done' : 'fail'} ${at}`,
});

/** It is frozen, or killed when it never wakes: its lease ends, and it goes on when the schedule says so. */
const freeze = (at: number): Step => ({
  check: ({ hands }) => hands[at] !== null,
  async run({ items, hands }, { db }) {
    const item = items.get(hands[at] ?? '');
    if (item?.newest !== at) return;
    item.isHeld = false;
    await db.run('update leases set until = clock_timestamp() where name = $1', [`test/${hands[at]}`]);
  },
  toString: () => `freeze ${at}`,
});

const anyStep = fc.oneof(
  ...Array.from({ length: WORKERS }, (_, at) =>
    fc.constantFrom(take(at), take(at), finish(at, true), finish(at, false), freeze(at)),
  ),
);

forEachDatabase((_kind, open) => {
  describe('a queue', () => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
      await db.script(`
        create table test_items (id text primary key, state text not null default 'waiting',
          attempts integer not null default 0, due timestamptz not null default '2000-01-01');
        create table test_ends (id text not null, kind text not null);`);
    });

    async function fresh(): Promise<void> {
      for (const table of ['test_items', 'test_ends', 'leases']) await db.run(`delete from ${table}`);
      await db.run('insert into test_items (id) select unnest($1::text[])', [ITEMS]);
    }
    const ends = () =>
      db.rows(
        z.custom<{ id: string; ends: number }>(),
        `select id, count(*)::integer as ends from test_ends where kind <> 'retried' group by id order by id`,
      );

    it('ends each item once, done or given up, whoever is frozen or killed; what comes late is refused', async () => {
      const commands = fc.commands([anyStep], { maxCommands: 24 });
      await fc.assert(
        fc.asyncProperty(commands, async (steps) => {
          await fresh();
          const workers = Array.from({ length: WORKERS }, () => createWorker(db));
          const waiting = (): ItemModel => ({ state: 'waiting', attempts: 0, newest: null, isHeld: false });
          const model: Model = {
            items: new Map(ITEMS.map((id) => [id, waiting()])),
            hands: workers.map(() => null),
            lost: workers.map(() => 0),
          };
          await fc.asyncModelRun(() => ({ model, real: { db, workers } }), steps);
          // Those that still hold something never wake; another one does the rest.
          await db.run('update leases set until = clock_timestamp()');
          const last = createWorker(db);
          while ((await last.take()) !== null) await last.finish(true);
          // And if they wake after all, it is too late.
          await Promise.all(workers.map((worker) => worker.finish(true)));
          expect(await ends()).toEqual(ITEMS.map((id) => ({ id, ends: 1 })));
        }),
        { numRuns: 25 },
      );
    });

    it('is done side by side, each item by one of several servers', async () => {
      await fresh();
      await db.run(`insert into test_items (id) select 'more ' || n from generate_series(1, 40) as n`);
      const seen: string[] = [];
      const queues = Array.from({ length: 3 }, () => {
        const deps = { db, platform: nodePlatform, logger: silent };
        return createLeaseQueue(
          { ...deps, leases: createLeases(deps) },
          {
            name: 'test',
            table: TABLE,
            concurrency: 8,
            everyMs: 1000,
            handle: (item) => {
              seen.push(item.id);
              return Promise.resolve(end(item, 'done'));
            },
            failed: () => null,
          },
        );
      });
      const counts = await Promise.all(queues.map((queue) => queue.drain()));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(43);
      expect(new Set(seen).size).toBe(43);
      expect(seen).toHaveLength(43);
    });

    it('goes on with others while one takes its time, and ends with the loop', async () => {
      await fresh();
      const deps = { db, platform: nodePlatform, logger: silent };
      const seen: string[] = [];
      const queue = createLeaseQueue(
        { ...deps, leases: createLeases(deps) },
        {
          name: 'test',
          table: TABLE,
          concurrency: 2,
          everyMs: 3_600_000,
          handle: async (item, signal) => {
            seen.push(item.id);
            if (item.id === 'a') await new Promise((resolve) => signal.addEventListener('abort', resolve));
            return end(item, 'done');
          },
          failed: () => null,
        },
      );
      const stop = new AbortController();
      const running = queue.run(stop.signal);
      await expect.poll(() => seen.toSorted()).toEqual(ITEMS);
      await db.run(`insert into test_items (id) values ('d')`);
      queue.wake();
      await expect.poll(() => seen.includes('d')).toBe(true);
      await expect.poll(async () => (await ends()).map(({ id }) => id)).toEqual(['b', 'c', 'd']);
      stop.abort();
      await running;
      expect((await ends()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    });
  });
});
