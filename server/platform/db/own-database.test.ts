/** What a server does with the data folder where no PostgreSQL is started: refusals, and modes of folders. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { isToBeMoved } from './move-database.ts';
import { openDatabase } from './open-database.ts';

const logger = pino({ level: 'silent' });
const missing = () => ({ postgres: '/none/postgres', initdb: '/none/initdb' });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-own-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const openDefault = (binaries: typeof missing = missing) =>
  openDatabase({ databaseUrl: undefined, dataDir, logger, binaries });

/** A folder that is there and can't be looked into; a closed one would be open to root. */
const makeUnreadable = (name: string) => symlinkSync(name, join(dataDir, name));

describe('an empty PGlite does not take the place of a PostgreSQL that does not start', () => {
  test('when its folder is closed to who starts the server now', async () => {
    makeUnreadable('postgres');
    await expect(openDefault()).rejects.toThrow(/The data is in .*postgres, and PostgreSQL does not start/);
    expect(existsSync(join(dataDir, 'pglite'))).toBe(false);
  });

  test('when its folder is gone, and it was used before', async () => {
    writeFileSync(join(dataDir, 'postgres.default'), '');
    await expect(openDefault()).rejects.toThrow(/The data is in .*postgres, and PostgreSQL does not start/);
    expect(existsSync(join(dataDir, 'pglite'))).toBe(false);
  });
});

test('what PGlite keeps in a folder that is closed to us is still to be moved', () => {
  makeUnreadable('pglite');
  expect(isToBeMoved(dataDir)).toBe(true);
  expect(isToBeMoved(join(dataDir, 'none'))).toBe(false);
});

test('PGlite does not take the place of a PostgreSQL that another container runs on the folder', async () => {
  mkdirSync(join(dataDir, 'pglite'));
  writeFileSync(join(dataDir, 'pglite/PG_VERSION'), '17');
  const busy = () => {
    throw new AppError('conflict', 'another PostgreSQL works there');
  };
  await expect(openDefault(busy)).rejects.toThrow('another PostgreSQL works there');
});

test('others can no longer look into what an earlier version of PGlite wrote', async () => {
  writeFileSync(join(dataDir, 'postgres.default'), '');
  const names = ['pglite.moved', 'pglite.moved-2', 'pglite.unfinished', 'other'];
  for (const name of names) {
    mkdirSync(join(dataDir, name));
    await chmod(join(dataDir, name), 0o755);
  }
  await expect(openDefault()).rejects.toThrow('The data is in');
  const modes = names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777);
  expect(await Promise.all(modes)).toEqual([0o750, 0o750, 0o750, 0o755]);
});
