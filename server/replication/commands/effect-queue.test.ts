import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { createEffectQueue } from './effect-queue.ts';
import type { EffectDeps } from './effect-queue.ts';
import { insertEffect } from './effects-query.ts';

const silent = pino({ level: 'silent' });
const nothing = { runNow: () => Promise.resolve('unknown' as const) };
const NO_THINGS = { config_scrapers: nothing, topologies: nothing };

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let personId: string;
  let runs: string[];

  beforeAll(async () => {
    db = await openDatabase();
    const [person] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into people (name) values ('Ann') returning id`,
    );
    personId = person?.id ?? '';
  });
  beforeEach(() => {
    runs = [];
  });

  function runner(runCheckNow: EffectDeps['checks']['runCheckNow'] = () => Promise.resolve(null)) {
    const checks: EffectDeps['checks'] = {
      runCheckNow(checkId) {
        runs.push(checkId);
        return runCheckNow(checkId);
      },
    };
    const deps = { db, platform: nodePlatform, logger: silent };
    return createEffectQueue({ ...deps, leases: createLeases(deps), checks, things: NO_THINGS });
  }

  async function promise(expiresInMs: number): Promise<{ commandId: string; checkId: string }> {
    const [commandId, checkId] = [randomUUID(), randomUUID()];
    const expiresAt = new Date(Date.now() + expiresInMs);
    await insertEffect(db, { commandId, name: 'run_check', args: { checkId }, personId, expiresAt });
    return { commandId, checkId };
  }
  const outcomeOf = (commandId: string) =>
    db.text('select outcome from command_effects where command_id = $1 and done_at is not null', [commandId]);

  test('what a killed process left undone is run at the next start, once', async () => {
    const { commandId, checkId } = await promise(60_000);
    const first = runner();
    await first.drain();
    await first.drain();
    expect(await outcomeOf(commandId)).toBe('nothing');
    await runner().drain();
    expect(runs).toEqual([checkId]);
  });

  test('two servers that start at the same time run it once', async () => {
    const promised = await Promise.all(Array.from({ length: 8 }, () => promise(60_000)));
    const slowly = async () => {
      await nodePlatform.sleep(20);
      return null;
    };
    await Promise.all([runner(slowly).drain(), runner(slowly).drain(), runner(slowly).drain()]);
    expect(runs.toSorted()).toEqual(promised.map(({ checkId }) => checkId).toSorted());
  });

  test('what a frozen server has in hand is done by another one, and noted as that one says', async () => {
    const { commandId, checkId } = await promise(60_000);
    const wakes: (() => void)[] = [];
    const frozen = runner(async () => {
      await new Promise<void>((resolve) => wakes.push(resolve));
      return 'unknown';
    });
    const late = frozen.drain();
    await expect.poll(() => runs).toEqual([checkId]);
    await db.run('update leases set until = clock_timestamp()');
    await runner().drain();
    wakes[0]?.();
    await late;
    expect(await outcomeOf(commandId)).toBe('nothing');
    expect(runs).toEqual([checkId, checkId]);
  });

  test('what came too late is marked so and never run', async () => {
    const { commandId } = await promise(-1);
    await runner().drain();
    expect(await outcomeOf(commandId)).toBe('expired');
    expect(runs).toEqual([]);
  });

  test('started again while it runs, it runs once', async () => {
    const { commandId, checkId } = await promise(60_000);
    let finish = () => undefined as void;
    const running = new Promise<null>((resolve) => {
      finish = () => resolve(null);
    });
    const slow = runner(() => running);
    const drains = [slow.drain(), slow.drain(), slow.drain()];
    await expect.poll(() => runs).toEqual([checkId]);
    finish();
    await Promise.all(drains);
    expect(await outcomeOf(commandId)).toBe('nothing');
    expect(runs).toEqual([checkId]);
  });

  test('a run that fails is noted and not repeated', async () => {
    const { commandId, checkId } = await promise(60_000);
    const broken = runner(() => Promise.reject(new Error('no such network')));
    await broken.drain();
    expect(await outcomeOf(commandId)).toBe('failed');
    await broken.drain();
    expect(runs).toEqual([checkId]);
  });
});
