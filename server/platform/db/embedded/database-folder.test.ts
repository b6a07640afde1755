/** The folder of an embedded PostgreSQL, without the PostgreSQL: its password, its modes, and who else works in it. */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWay, prepareFolder, readPassword } from './database-folder.ts';
import type { Launcher } from './launcher.ts';

const binaries = { postgres: '/none/postgres', initdb: '/none/initdb' };
const launcher: Launcher = {
  owner: null,
  version: 'postgres (PostgreSQL) 18.1',
  isFree: () => Promise.resolve(true),
  command: (file) => ({ file, args: [], options: {} }),
};

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'holdfast-folder-'));
  folder = join(home, 'postgres');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

function makeDatabase(mode = 0o700): void {
  mkdirSync(join(folder, 'global'), { recursive: true, mode });
  writeFileSync(join(folder, 'global/pg_control'), '');
  writeFileSync(join(folder, 'PG_VERSION'), '18\n');
}

const prepare = (other: Partial<Launcher> = {}) =>
  prepareFolder({ binaries, launcher: { ...launcher, ...other }, folder, passwordFolder: home });

describe('the password', () => {
  test('is made once, whole, and readable by its owner alone', async () => {
    const made = await readPassword(folder);
    expect(made).toMatch(/^[0-9a-f]{48}$/);
    expect(await readPassword(folder)).toBe(made);
    expect(readdirSync(home)).toEqual(['postgres.password']);
    expect(modeOf(`${folder}.password`)).toBe(0o600);
  });

  test('is made anew where a power cut left an empty file and no database', async () => {
    writeFileSync(`${folder}.password`, '');
    writeFileSync(`${folder}.password.unfinished`, 'half', { mode: 0o644 });
    const made = await readPassword(folder);
    expect(readFileSync(`${folder}.password`, 'utf8')).toBe(`${made}\n`);
    expect(made).toMatch(/^[0-9a-f]{48}$/);
    expect(modeOf(`${folder}.password`)).toBe(0o600);
  });

  test.each(['empty', 'missing'])('of a database is never replaced by another one (%s)', async (what) => {
    makeDatabase();
    if (what === 'empty') writeFileSync(`${folder}.password`, '');
    await expect(readPassword(folder)).rejects.toThrow(
      'postgres.password: bring the file back from a backup',
    );
    expect(existsSync(`${folder}.password`)).toBe(what === 'empty');
  });
});

test.each([0o755, 0o2770])(
  'a folder that was restored or mounted with mode %o is closed again',
  async (mode) => {
    makeDatabase();
    await chmod(folder, mode);
    await prepare();
    expect(modeOf(folder)).toBe(0o700);
  },
);

test('what another container makes at this moment is left alone', async () => {
  mkdirSync(`${folder}.unfinished`);
  await expect(prepare({ isFree: () => Promise.resolve(false) })).rejects.toMatchObject({ code: 'conflict' });
  expect(existsSync(`${folder}.unfinished`)).toBe(true);
  // It was ready while we waited.
  const isFree = () => Promise.resolve(makeDatabase()).then(() => true);
  await prepare({ isFree });
  expect(existsSync(`${folder}.unfinished`)).toBe(true);
});

test('who comes later than that is refused, too', async () => {
  const command = () => ({ file: 'sh', args: ['-c', 'exit 75'], options: {} });
  await expect(prepare({ command })).rejects.toMatchObject({ code: 'conflict' });
});

test.runIf(process.getuid?.() === 0)(
  'the way for the user of PostgreSQL is closed again where it is not needed',
  () => {
    const closeAgain = openWay(home);
    expect(modeOf(home)).toBe(0o711);
    closeAgain();
    expect(modeOf(home)).toBe(0o700);
  },
);
