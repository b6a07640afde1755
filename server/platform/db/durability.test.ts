import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { preparedDatabases } from '../../../tests/prepared-databases.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { openPostgresDatabase } from './postgres-database.ts';
import { createPostgresDatabase, openEmptyDatabase } from './test-databases.ts';

const logger = pino({ level: 'silent' });
const OPEN_MODULE = new URL('./open-database.ts', import.meta.url).href;
const SLOW_QUERY = 'select count(*)::text from generate_series(1, 2000000000)';

// Making a database from nothing alone takes over 10 s on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
const open: Database[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-db-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
  await rm(dataDir, { recursive: true, force: true });
});

async function opened(databaseUrl: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl, dataDir, logger });
  open.push(database);
  return database;
}

/** Spares a test that is not about it the seconds that making a database takes. */
async function prepare(databaseUrl: string): Promise<void> {
  const { pgliteData, postgresData } = await preparedDatabases();
  cpSync(databaseUrl === 'pglite' ? pgliteData : postgresData, dataDir, { recursive: true });
}

/** A real process that writes rows one by one, says so, and is killed with -9 while it goes on. */
async function writeAndKill(databaseUrl: string): Promise<number> {
  const program = `
    import { openDatabase } from ${JSON.stringify(OPEN_MODULE)};
    import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    const db = await openDatabase({ databaseUrl: ${JSON.stringify(databaseUrl)}, dataDir: ${JSON.stringify(dataDir)}, logger: pino({ level: 'silent' }) });
    await db.script('create table kept (n int primary key)');
    for (let n = 1; ; n += 1) {
      await db.run('insert into kept (n) values ($1)', [n]);
      process.stdout.write(n + '\\n');
    }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.split('\n').length > 20) break;
  }
  child.kill('SIGKILL');
  await ended;
  return Math.max(...said.split('\n').slice(0, -1).map(Number));
}

describe.each(['pglite', 'embedded'])('DATABASE_URL %s', (databaseUrl) => {
  test('what was written is there after kill -9, and the folder opens again at once', async () => {
    const last = await writeAndKill(databaseUrl);
    const database = await opened(databaseUrl);
    const kept = Number(await database.text('select max(n)::text from kept'));
    expect(kept).toBeGreaterThanOrEqual(last);
    expect(Number(await database.text('select count(*)::text from kept'))).toBe(kept);
  });

  test('a second server on the same folder is refused, and let in after the first has closed', async () => {
    await prepare(databaseUrl);
    const first = await opened(databaseUrl);
    await expect(openDatabase({ databaseUrl, dataDir, logger })).rejects.toThrow('DATA_DIR');
    open.splice(0);
    await first.close();
    const second = await opened(databaseUrl);
    expect(await second.text('select 1::text')).toBe('1');
  });
});

test('the password of the embedded server is readable by its owner alone', async () => {
  await opened('embedded');
  const file = join(dataDir, 'postgres.password');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, 'utf8')).trim()).toMatch(/^[0-9a-f]{48}$/);
});

test('a first start that was killed in the middle does not stop the next', async () => {
  await mkdir(join(dataDir, 'pglite.unfinished'));
  await writeFile(join(dataDir, 'pglite.unfinished', 'PG_VERSION'), 'half');
  const database = await opened('pglite');
  expect(await database.text('select 1::text')).toBe('1');
  expect(existsSync(join(dataDir, 'pglite.unfinished'))).toBe(false);
  // PGlite leaves its files readable by all.
  expect((await stat(join(dataDir, 'pglite'))).mode & 0o777).toBe(0o700);
});

test('an unreachable server is an error, not a wait', async () => {
  await expect(opened('postgresql://nobody@127.0.0.1:1/none')).rejects.toMatchObject({ sqlState: '08006' });
});

describe('a statement that takes too long', () => {
  test('is ended on PGlite, and the database goes on with what it had', async () => {
    await prepare('pglite');
    const database = await openPgliteDatabase({
      folder: join(dataDir, 'pglite'),
      logger,
      statementTimeoutMs: 1500,
    });
    open.push(database);
    await database.script('create table kept (n int)');
    await database.run('insert into kept values (1)');
    const slow = database.text(SLOW_QUERY);
    const waiting = database.text('select count(*)::text from kept');
    await expect(slow).rejects.toMatchObject({ sqlState: '57014' });
    expect(await waiting).toBe('1');
  });

  test('leaves the event loop free meanwhile', async () => {
    const database = await openPgliteDatabase({ folder: null, logger, statementTimeoutMs: 1000 });
    open.push(database);
    const before = performance.eventLoopUtilization();
    await expect(database.text(SLOW_QUERY)).rejects.toMatchObject({ sqlState: '57014' });
    // Of the time that the query took; how much of it a busy machine gave to this process is no matter.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  test('inside a transaction takes the transaction along', async () => {
    await prepare('pglite');
    const database = await openPgliteDatabase({
      folder: join(dataDir, 'pglite'),
      logger,
      statementTimeoutMs: 1500,
    });
    open.push(database);
    await database.script('create table kept (n int)');
    const work = database.transaction(async (tx) => {
      await tx.run('insert into kept values (1)');
      await tx.text(SLOW_QUERY);
    });
    await expect(work).rejects.toMatchObject({ sqlState: '57014' });
    expect(await database.text('select count(*)::text from kept')).toBe('0');
  });

  test('is cancelled on PostgreSQL', async () => {
    const database = await openPostgresDatabase({
      url: await createPostgresDatabase(),
      logger,
      statementTimeoutMs: 300,
    });
    open.push(database);
    await expect(database.text(SLOW_QUERY)).rejects.toMatchObject({ sqlState: '57014' });
    expect(await database.text('select 1::text')).toBe('1');
  });
});

test('the database itself is refused inside its own transaction, and free again after', async () => {
  const database = await openEmptyDatabase('pglite');
  open.push(database);
  await expect(database.transaction(() => database.text('select 1::text'))).rejects.toThrow(
    'use its own queryable',
  );
  expect(await database.text('select 1::text')).toBe('1');
});
