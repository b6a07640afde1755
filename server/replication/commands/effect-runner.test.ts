import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createEffectRunner } from './effect-runner.ts';
import type { EffectDeps } from './effect-runner.ts';
import { insertEffect } from './effects-query.ts';

const silent = pino({ level: 'silent' });
const GRACE_MS = 5000;

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let personId: string;
  let runs: string[];

  beforeAll(async () => {
    db = await openDatabase();
    const [person] = await db.rows<{ id: string }>(`insert into people (name) values ('Ann') returning id`);
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
    return createEffectRunner({ db, checks, platform: nodePlatform, logger: silent });
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
    await first.resume();
    await first.resume();
    await first.settle(GRACE_MS);
    expect(await outcomeOf(commandId)).toBe('nothing');
    const second = runner();
    await second.resume();
    await second.settle(GRACE_MS);
    expect(runs).toEqual([checkId]);
  });

  test('what came too late is marked so and never run', async () => {
    const { commandId } = await promise(-1);
    const late = runner();
    await late.resume();
    await late.settle(GRACE_MS);
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
    slow.start(commandId);
    slow.start(commandId);
    await slow.resume();
    await expect.poll(() => runs).toEqual([checkId]);
    finish();
    await slow.settle(GRACE_MS);
    expect(await outcomeOf(commandId)).toBe('nothing');
    expect(runs).toEqual([checkId]);
  });

  test('a run that fails is noted and not repeated', async () => {
    const { commandId, checkId } = await promise(60_000);
    const broken = runner(() => Promise.reject(new Error('no such network')));
    broken.start(commandId);
    await broken.settle(GRACE_MS);
    expect(await outcomeOf(commandId)).toBe('failed');
    await broken.resume();
    await broken.settle(GRACE_MS);
    expect(runs).toEqual([checkId]);
  });
});
