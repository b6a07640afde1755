/** The PostgreSQL that the server runs itself: real processes, killed, moved, refused and in odd places. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseError } from '../database-error.ts';
import { openPostgresDatabase } from '../postgres-database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedOptions, EmbeddedPostgres } from './embedded-postgres.ts';

// Each makes a database from nothing, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const MODULE = new URL('./embedded-postgres.ts', import.meta.url).href;
const isRoot = process.getuid?.() === 0;
const logger = pino({ level: 'silent' });

let home: string;
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'holdfast-embedded-'));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder: join(home, 'postgres'), logger, ...options });
  servers.push(server);
  return server;
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<string | null> {
  const db = await openPostgresDatabase({ url: server.url('postgres'), logger });
  try {
    return await db.text(sql);
  } finally {
    await db.close();
  }
}

async function stopAll(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
}

/** Another process that runs the server and then does nothing. */
async function startElsewhere(): Promise<ChildProcess> {
  const folder = join(home, 'postgres');
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)};
    import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, logger: pino({ level: 'silent' }) });
    process.stdout.write('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

const postmaster = (folder = join(home, 'postgres')) =>
  Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);

/** Whether the process lives; one that nobody has waited for is gone, too. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('it listens on no port, in a folder that is closed to others', async () => {
  const server = await start();
  expect(await ask(server, 'show listen_addresses')).toBe('');
  const sockets = (await ask(server, 'show unix_socket_directories')) ?? '';
  expect(statSync(sockets.replaceAll('"', '')).mode & 0o777).toBe(0o700);
  await stopAll();
  expect(existsSync(sockets.replaceAll('"', ''))).toBe(false);
});

test('its password is needed', async () => {
  const server = await start();
  const wrong = server.url('postgres').replace(/:[0-9a-f]{48}@/, ':wrong@');
  const failure: unknown = await openPostgresDatabase({ url: wrong, logger }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(DatabaseError);
  expect(String(failure)).toContain('password authentication failed');
});

test('it writes to the disk what it has promised, and needs no shared memory of the system', async () => {
  const server = await start();
  expect(await ask(server, "select current_setting('fsync') || current_setting('full_page_writes')")).toBe(
    'onon',
  );
  expect(await ask(server, 'show dynamic_shared_memory_type')).toBe('mmap');
  expect(await ask(server, 'show max_parallel_workers_per_gather')).toBe('0');
});

test.each([
  ['spaces and quotes', `it's "a" folder, $HOME; rm`],
  ['letters of all languages', 'données/データ/папка'],
  ['more characters than a socket may have', join('x'.repeat(120), 'y'.repeat(120))],
])('its folder may have %s in its name', async (_what, name) => {
  const folder = join(home, name, 'postgres');
  const server = await start({ folder });
  expect(await ask(server, 'show data_directory')).toBe(folder);
});

describe.runIf(isRoot)('of root', () => {
  test('it runs as another user, also in a folder that is closed to that user', async () => {
    const closed = join(home, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const folder = join(closed, 'data/postgres');
    await start({ folder });
    expect(statSync(join(folder, 'PG_VERSION')).uid).not.toBe(0);
    expect(statSync(`/proc/${postmaster(folder)}`).uid).toBe(statSync(folder).uid);
    expect(statSync(closed).mode & 0o777).toBe(0o700);
  });

  test('files that root brought back from a backup are given to that user again', async () => {
    const folder = join(home, 'postgres');
    const db = await openPostgresDatabase({ url: (await start()).url('postgres'), logger });
    await db.script('create table kept as select 7 as n');
    await db.close();
    await stopAll();
    chownSync(folder, 0, 0);
    chownSync(join(folder, 'PG_VERSION'), 0, 0);
    expect(await ask(await start(), 'select n::text from kept')).toBe('7');
  });
});

describe('after kill -9', () => {
  test('the system ends it, or the next start does: there is never a second one', async () => {
    const child = await startElsewhere();
    const left = postmaster();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const server = await start();
    expect(isRunning(left)).toBe(false);
    expect(postmaster()).not.toBe(left);
    expect(await ask(server, 'select 1::text')).toBe('1');
  });

  test('its pid file is no hindrance, whose ever the number is now', async () => {
    await start();
    await stopAll();
    const pidFile = join(home, 'postgres/postmaster.pid');
    writeFileSync(pidFile, `${process.pid}\n${join(home, 'postgres')}\n1\n5432\n/nowhere\n\n`);
    expect(await ask(await start(), 'select 1::text')).toBe('1');
  });

  test('files that were half made are made again', async () => {
    mkdirSync(join(home, 'postgres.unfinished/base'), { recursive: true });
    writeFileSync(join(home, 'postgres.unfinished/PG_VERSION'), '18');
    expect(await ask(await start(), 'select 1::text')).toBe('1');
    expect(existsSync(join(home, 'postgres.unfinished'))).toBe(false);
  });

  test('what it had committed is there', async () => {
    const server = await start();
    const db = await openPostgresDatabase({ url: server.url('postgres'), logger });
    await db.script('create table kept as select generate_series(1, 1000) as n');
    process.kill(postmaster(), 'SIGKILL');
    await db.close();
    await expect.poll(() => ask(server, 'select count(*)::text from kept').catch(() => null)).toBe('1000');
  });
});

test('a second one on the same folder is refused while the first one works', async () => {
  const first = await start();
  // As another container sees it, where the process of the first one has no number.
  const pidFile = join(home, 'postgres/postmaster.pid');
  const text = readFileSync(pidFile, 'utf8');
  writeFileSync(pidFile, text.replace(/^\d+/, '4194000'));
  await expect(start()).rejects.toThrow('another PostgreSQL works in');
  writeFileSync(pidFile, text);
  expect(await ask(first, 'select 1::text')).toBe('1');
});

describe('is refused with the reason', () => {
  test('when its programs are missing', async () => {
    const none = () => ({ postgres: join(home, 'none/postgres'), initdb: join(home, 'none/initdb') });
    await expect(start({ binaries: none })).rejects.toThrow(/none\/postgres does not run/);
  });

  test('when its programs are not whole', async () => {
    const broken = join(home, 'postgres-broken');
    writeFileSync(broken, 'no program', { mode: 0o755 });
    await expect(start({ binaries: () => ({ postgres: broken, initdb: broken }) })).rejects.toThrow(
      /postgres-broken does not run/,
    );
  });

  test('when another version wrote its files', async () => {
    await start();
    await stopAll();
    writeFileSync(join(home, 'postgres/PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('was written by PostgreSQL 17');
  });

  test('when it does not start, with what it said', async () => {
    await expect(start({ serverFlags: ['-c', 'shared_buffers=none'] })).rejects.toThrow('invalid value for');
  });
});
