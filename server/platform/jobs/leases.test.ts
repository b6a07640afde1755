/** The leases' law on both databases: whatever happens in whatever order, never two holders of a valid token. */
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { forEachDatabase, openMigratedDatabase } from '../db/test-databases.ts';
import { nodePlatform } from '../platform.ts';
import { balanceRole, type RolePart } from './lease-balance.ts';
import { createLeases, requireLease, type Leases } from './leases.ts';
import { withLease } from './leased-database.ts';
import { lockLeases, releaseLeases, renewLeases, takeLeases, type TakenLease } from './leases-query.ts';

const silent = pino({ level: 'silent' });
const LEASE_MS = 3_600_000;
const SERVERS = 3;

interface World {
  db: Database;
  name: string;
  /** The last lease of each server. */
  had: (TakenLease | null)[];
}

interface Model {
  /** Who has it; null: nobody, or its time is over. */
  holder: number | null;
  /** Whose token is the newest. */
  newest: number | null;
  tokens: number[];
}

type Step = fc.AsyncCommand<Model, World>;

const step = (name: string, run: (model: Model, world: World) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => name,
});

const take = (server: number) =>
  step(`take ${server}`, async (model, world) => {
    const names = [world.name];
    const [taken] = await takeLeases(world.db, { names, holder: `s${server}`, leaseMs: LEASE_MS });
    expect(taken !== undefined).toBe(model.holder === null);
    if (taken === undefined) return;
    expect(taken.token).toBeGreaterThan(Math.max(0, ...model.tokens));
    world.had[server] = taken;
    Object.assign(model, { holder: server, newest: server, tokens: [...model.tokens, taken.token] });
  });

const renew = (server: number) =>
  step(`renew ${server}`, async (model, world) => {
    const lease = world.had[server];
    if (lease === null || lease === undefined) return;
    const still = await renewLeases(world.db, [lease], LEASE_MS);
    expect(still.has(world.name)).toBe(model.newest === server);
    if (model.newest === server) model.holder = server;
  });

const release = (server: number) =>
  step(`release ${server}`, async (model, world) => {
    const lease = world.had[server];
    if (lease === null || lease === undefined) return;
    await releaseLeases(world.db, [lease]);
    if (model.newest === server) model.holder = null;
  });

const timePasses = step('its time is over', async (model, { db, name }) => {
  await db.run(`update leases set until = clock_timestamp() where name = $1`, [name]);
  model.holder = null;
});

/** Every server asks at once whether its last token is good for a write. */
const write = step('all write', async (model, { db, had }) => {
  const leases = had.filter((lease) => lease !== null);
  const valid = leases.length === 0 ? new Set() : await db.transaction((tx) => lockLeases(tx, leases));
  const writers = had.flatMap((lease, server) => (lease !== null && valid.has(lease.token) ? [server] : []));
  expect(writers).toEqual(model.newest === null ? [] : [model.newest]);
});

const anyStep = fc.oneof(
  ...Array.from({ length: SERVERS }, (_, server) =>
    fc.constantFrom(take(server), renew(server), release(server)),
  ),
  fc.constantFrom(timePasses, write),
);

forEachDatabase((_kind, open) => {
  describe('leases', () => {
    let db: Database;
    let round = 0;
    beforeAll(async () => {
      db = await open();
    });

    it('have one valid token at any time, which only grows, in any order of events', async () => {
      const commands = fc.commands([anyStep], { maxCommands: 30 });
      await fc.assert(
        fc.asyncProperty(commands, async (steps) => {
          round += 1;
          const name = `round ${round}`;
          const setup = () => ({
            model: { holder: null, newest: null, tokens: [] } satisfies Model as Model,
            real: { db, name, had: Array.from({ length: SERVERS }, () => null) } satisfies World as World,
          });
          await fc.asyncModelRun(setup, steps);
        }),
        { numRuns: 60 },
      );
    });

    it('refuse a late write: a transaction, a single statement', async () => {
      const leases = () => createLeases({ db, platform: nodePlatform, logger: silent });
      const [frozen, next] = [leases(), leases()];
      const old = await frozen.take('late');
      expect(await next.take('late')).toBeNull();
      await db.run(`update leases set until = clock_timestamp() where name = 'late'`);
      await db.transaction((tx) => requireLease(tx, old));
      const mine = await next.take('late');
      expect(mine).not.toBeNull();
      const insert = `insert into properties (name, value) values ('late', 'x')`;
      await expect(withLease(db, old).run(insert)).rejects.toMatchObject({ code: 'conflict' });
      await expect(withLease(db, old).transaction((tx) => tx.run(insert))).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await withLease(db, mine).run(insert)).toBe(1);
    });
  });
});

describe('roles on PostgreSQL', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
  });
  afterAll(() => db.close());

  it('are shared evenly by three servers, each part by one, and given back for the others to take', async () => {
    const servers: Leases[] = [];
    const ids = Array.from({ length: 200 }, (_, at) => `check ${at}`);
    const open = async () => {
      const leases = createLeases({ db, platform: nodePlatform, logger: silent });
      const role = leases.role('checks', 16);
      const stopping = new AbortController();
      await leases.start();
      const running = leases.run(stopping.signal);
      servers.push(leases);
      const close = async () => {
        stopping.abort();
        await running;
        await leases.close();
      };
      return { role, close, ids: () => ids.filter((id) => role.leaseFor(id) !== null) };
    };
    const first = await open();
    expect(first.ids()).toHaveLength(ids.length);
    const all = [first, await open(), await open()];
    const split = () => all.map((server) => server.ids().length);
    await expect.poll(() => split().every((count) => count > 20 && count < 140)).toBe(true);
    await expect.poll(() => all.flatMap((server) => server.ids()).toSorted()).toEqual(ids.toSorted());
    await first.close();
    await expect
      .poll(() =>
        all
          .slice(1)
          .flatMap((server) => server.ids())
          .toSorted(),
      )
      .toEqual(ids.toSorted());
    await Promise.all(all.slice(1).map((server) => server.close()));
  });
});

describe('the balance of a role', () => {
  it('comes to rest with every part held and no server over its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }),
        (servers, held) => {
          // Who holds each part at first; who is not among the servers is gone.
          const holders: (number | null)[] = held.map((server) => (server < servers ? server : null));
          const look = (me: number): RolePart[] =>
            holders.map((holder, at) => ({
              name: String(at),
              isMine: holder === me,
              isFree: holder === null,
            }));
          for (let round = 0; round < 3; round += 1) {
            for (let me = 0; me < servers; me += 1) {
              const { take: taken, leave } = balanceRole(look(me), servers);
              for (const name of leave) holders[Number(name)] = null;
              for (const name of taken) holders[Number(name)] = me;
            }
          }
          const counts = Array.from(
            { length: servers },
            (_, me) => holders.filter((holder) => holder === me).length,
          );
          expect(holders).not.toContain(null);
          expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(holders.length / servers));
        },
      ),
    );
  });
});
