/**
 * Folders that work in this process needs for a while, below the system's own for such. It owns their names, which say
 * whose they are: a server that was killed leaves its folders behind, with all that was fetched into them, and the next
 * one to start on this machine removes them. Invariant: only those of a process that is gone are; what another server
 * works in stays, and so does what bears no name that tells.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';

const NAME = /^holdfast-(?:gitops|scrape)-([a-z0-9]+)_(\d+)_[^_]+$/i;

/** Numbers of processes say something on one machine only, and containers may share the folder. */
const machine = () => hostname().replaceAll(/[^a-z0-9]/gi, '') || 'here';

/** An empty one; whoever asked removes it. */
export function makeWorkFolder(kind: 'gitops' | 'scrape', workRoot = tmpdir()): Promise<string> {
  return mkdtemp(join(workRoot, `holdfast-${kind}-${machine()}_${process.pid}_`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of another user is there, too.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

/** A container that starts again gives its server the same number as before. */
async function isOlderThanThisProcess(folder: string): Promise<boolean> {
  const { birthtimeMs, mtimeMs } = await stat(folder);
  return Math.min(birthtimeMs || mtimeMs, mtimeMs) < performance.timeOrigin;
}

async function isLeft(root: string, name: string): Promise<boolean> {
  const [, owner, pid] = NAME.exec(name) ?? [];
  if (owner !== machine()) return false;
  return Number(pid) === process.pid ? isOlderThanThisProcess(join(root, name)) : !isRunning(Number(pid));
}

/** Removes what servers left here that are gone; what can't be removed is told, and is nobody's hindrance. */
export async function removeLeftFolders({
  logger,
  workRoot: root = tmpdir(),
}: {
  logger: Logger;
  /** Where they lie. */
  workRoot?: string;
}): Promise<void> {
  try {
    for (const name of await readdir(root)) {
      if (!(await isLeft(root, name))) continue;
      await rm(join(root, name), { recursive: true, force: true });
      logger.info({ folder: name }, 'removed a folder that a server left behind');
    }
  } catch (error) {
    logger.warn({ err: error }, 'folders that a server left behind could not be removed');
  }
}
