/**
 * What a killed start left on the database's folder: a PostgreSQL that still runs, which is ended, and its pid file.
 * PostgreSQL itself believes any living process of that number to be a server, and numbers come again: in a container
 * after each start, elsewhere after a reboot.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../../../src/contract/errors.ts';
import { folderInUse, lockFileOf } from './launcher.ts';
import type { Launcher } from './launcher.ts';

/** Socket folders are made with this name, and with no other are they removed. */
export const SOCKET_FOLDER = 'holdfast-postgres-';
const PRIVATE_FILE = 0o600;

const POLL_MS = 25;
/**
 * SIGINT ends it in order; SIGQUIT at once, and the next start recovers from its log. A slow disk that has much to
 * write holds up both: a start that waits is better than one that takes another database.
 */
const ENDINGS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 20_000 },
] as const;

function argumentsOf(pid: number): string[] {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' }).split(
      /\s-D\s|\s-p\s/,
    );
  } catch {
    // No such process.
    return [];
  }
}

function isServerOf(pid: number, folder: string): boolean {
  return argumentsOf(pid).some((part) => part.trim() === folder);
}

/** Notes where the sockets are, for the start after a kill. */
export function noteSocketFolder(folder: string, sockets: string): void {
  // Whoever can open the file could hold the lock.
  writeFileSync(lockFileOf(folder), `${sockets}\n`, { mode: PRIVATE_FILE });
}

/** Removes the noted folder of sockets. */
export function removeSocketFolder(folder: string): void {
  const note = lockFileOf(folder);
  const sockets = existsSync(note) ? readFileSync(note, 'utf8').trim() : '';
  if (!basename(sockets).startsWith(SOCKET_FOLDER)) return;
  rmSync(sockets, { recursive: true, force: true });
  noteSocketFolder(folder, '');
}

async function isOverWithin(limitMs: number, isRunning: () => boolean): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += POLL_MS) {
    if (!isRunning()) return true;
    await sleep(POLL_MS);
  }
  return !isRunning();
}

async function endServer(pid: number, folder: string, logger: Logger): Promise<void> {
  logger.warn({ pid }, 'ending the PostgreSQL that an earlier start left behind');
  for (const { signal, waitMs } of ENDINGS) {
    try {
      process.kill(pid, signal);
    } catch (cause) {
      // It may have ended by itself; if not, the wait tells.
      logger.debug({ err: cause }, 'PostgreSQL could not be signalled');
    }
    if (await isOverWithin(waitMs, () => isServerOf(pid, folder))) return;
  }
  throw new AppError('conflict', `PostgreSQL (process ${pid}) still runs on ${folder} and does not end`);
}

/** Ends it and removes its pid file. Expects that the caller holds the lock of the folder above. */
export async function clearLeftBehind(folder: string, launcher: Launcher, logger: Logger): Promise<void> {
  const pidFile = join(folder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (pid > 0 && isServerOf(pid, folder)) await endServer(pid, folder, logger);
  const isFree = await launcher.isFree();
  if (isFree === false) throw folderInUse(folder);
  // Where nobody can tell, PostgreSQL judges its file itself.
  if (isFree === true) rmSync(pidFile, { force: true });
}
