import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { checkEpoch, keepMarker } from './epoch-marker.ts';
import { readState } from './state-query.ts';

const logger = pino({ level: 'silent' });

forEachDatabase((_kind, open) => {
  let db: Database;
  let dataDir: string;
  beforeAll(async () => {
    db = await open();
    dataDir = await mkdtemp(join(tmpdir(), 'holdfast-marker-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  const deps = () => ({ db, dataDir, platform: nodePlatform, logger });
  const note = () => keepMarker(deps(), AbortSignal.abort());
  const epoch = async () => (await readState(db)).epoch;

  test('the same database goes on under its epoch', async () => {
    const before = await epoch();
    await checkEpoch(deps());
    await note();
    await db.run("insert into people (name) values ('later')");
    await checkEpoch(deps());
    expect(await epoch()).toBe(before);
  });

  test('a database that was restored to an earlier state starts a new epoch', async () => {
    await note();
    const before = await epoch();
    const [place = '', sequence = ''] = (await readFile(join(dataDir, 'change-log-place'), 'utf8'))
      .trim()
      .split('.');
    expect(place).toBe(before);
    await writeFile(join(dataDir, 'change-log-place'), `${place}.${Number(sequence) + 1}\n`);
    await checkEpoch(deps());
    expect(await epoch()).not.toBe(before);
  });

  test('another database than the one before keeps its own epoch', async () => {
    const before = await epoch();
    await writeFile(join(dataDir, 'change-log-place'), 'another.999999\n');
    await checkEpoch(deps());
    expect(await epoch()).toBe(before);
  });
});
