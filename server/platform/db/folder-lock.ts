/**
 * One server per data folder. Two processes on one PGlite folder lose rows without a word, so whoever opens it
 * holds this lock: a listening local socket whose name is made from the folder's real path. The system closes
 * it with the process, so kill -9 frees it at once and nothing stale is left to judge by age.
 *
 * Linux has socket names without files (a NUL in front), Windows has pipes; elsewhere the name is a file in the
 * temporary folder, which a killed process leaves behind and the next start takes over. The lock sees one
 * machine (on Linux: one network namespace), not others that mount the same disk.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { AppError } from '../../../src/contract/errors.ts';

export interface FolderLock {
  release(): Promise<void>;
}

export interface LockOptions {
  /** Defaults to this system's kind. */
  platform?: NodeJS.Platform;
}

/** A process killed inside its turn loses it after 2 s, the least that the library allows. */
const TAKEOVER_TURN = {
  realpath: false,
  stale: 2_000,
  update: 1_000,
  retries: { retries: 40, minTimeout: 50, maxTimeout: 100 },
};
const ANSWER_LIMIT_MS = 2_000;

function lockAddress(realFolder: string, platform: NodeJS.Platform): string {
  const name = `holdfast-${createHash('sha256').update(realFolder).digest('hex').slice(0, 32)}`;
  if (platform === 'linux') return `\0${name}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

/** Listens and tells whoever connects who holds the lock; null when the address is taken. */
function listen(address: string, holder: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(holder);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () => {
      // The lock alone must not keep the process running.
      server.unref();
      resolve(server);
    });
  });
}

/** Who answers at the address; null when nobody does. */
function askHolder(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address);
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString('utf8')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null);
    });
    // One that is too busy to answer holds the lock all the same.
    socket.on('close', () => resolve(answer === '' ? 'unknown' : answer));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/**
 * Removes the socket file of a dead process and listens in its place; null when somebody alive holds it. One at
 * a time: a second taker-over would otherwise remove the first one's fresh file.
 */
async function takeOver(address: string, holder: string): Promise<Server | null> {
  const leave = await lock(address, TAKEOVER_TURN);
  try {
    if ((await askHolder(address)) !== null) return null;
    await rm(address, { force: true });
    return await listen(address, holder);
  } finally {
    await leave();
  }
}

/** Takes the lock of the folder (made if missing) or fails with an error that names DATA_DIR. */
export async function lockFolder(
  folder: string,
  { platform = process.platform }: LockOptions = {},
): Promise<FolderLock> {
  await mkdir(folder, { recursive: true });
  const realFolder = await realpath(folder);
  const address = lockAddress(realFolder, platform);
  const holder = `process ${process.pid}, ${randomUUID()}`;
  const hasFile = platform !== 'linux' && platform !== 'win32';
  const server = (await listen(address, holder)) ?? (hasFile ? await takeOver(address, holder) : null);
  if (server === null) {
    const other = await askHolder(address);
    throw new AppError(
      'conflict',
      `DATA_DIR ${realFolder} is in use by another server${other === null ? '' : ` (${other.split(',')[0]})`}. ` +
        'Stop it, or give this one a DATA_DIR of its own.',
    );
  }
  return { release: () => closeServer(server) };
}
