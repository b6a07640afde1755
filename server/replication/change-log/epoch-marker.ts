/**
 * Notices that the database is not the one that this server ran on before, or an older state of it (a backup was
 * restored): beside the database it remembers the farthest place that was ever given out. A log that ends before
 * it, or that is another one under the same name, starts a new epoch, and every reader starts over (law 2).
 * Where the database is not in our folder, several servers remember a place each.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../platform/db/database.ts';
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { parseCursor } from './change-feed.ts';
import { readState, startEpoch } from './state-query.ts';

const FILE = 'change-log-place';
const WRITE_EVERY_MS = 5000;

interface MarkerDeps {
  db: Database;
  dataDir: string;
  platform: Platform;
  logger: Logger;
}

async function readMarker(file: string): Promise<{ epoch: string; sequence: number } | null> {
  try {
    return parseCursor((await readFile(file, 'utf8')).trim());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Compares once, before anybody reads. */
export async function checkEpoch({ db, dataDir, logger }: MarkerDeps): Promise<void> {
  const known = await readMarker(join(dataDir, FILE));
  const { epoch, head } = await readState(db);
  if (known === null || known.epoch !== epoch || known.sequence <= head) return;
  await startEpoch(db);
  logger.warn(
    { known: known.sequence, found: head },
    'the database is older than what was given out: it was restored; devices load everything anew',
  );
}

/** Notes the farthest place now and then, and once more when the signal aborts. */
export async function keepMarker(deps: MarkerDeps, signal: AbortSignal): Promise<void> {
  const { db, dataDir, logger } = deps;
  const file = join(dataDir, FILE);
  let noted = '';
  const note = async () => {
    const { epoch, head } = await readState(db);
    const place = `${epoch}.${head}`;
    if (place === noted) return;
    await writeFile(`${file}.new`, `${place}\n`);
    await rename(`${file}.new`, file);
    noted = place;
  };
  await runLoop(deps, { name: 'change log place', everyMs: WRITE_EVERY_MS, run: note }, signal);
  try {
    await note();
  } catch (error) {
    logger.error({ err: error }, 'change log: the place could not be noted');
  }
}
