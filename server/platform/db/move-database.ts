/**
 * Moves what PGlite kept in the data folder to PostgreSQL there, once. A mark stands beside the folders from before the
 * first row until PGlite's folder has its new name, so what was killed in the middle is done again from the start:
 * what is written is one transaction that begins with empty tables, and PGlite's rows don't change meanwhile. PGlite's
 * folder is kept as it was: its rows are read from a copy, because PGlite writes when it opens a folder, and one that was
 * killed then may not open again.
 */
import { constants } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Database } from './database.ts';
import { holdsDatabase } from './embedded/database-folder.ts';
import { isThere } from './embedded/is-there.ts';
import { migrate } from './migrate.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { copyTables } from './copy-tables-query.ts';
import { syncFolder } from './embedded/sync-folder.ts';

const foldersOf = (dataDir: string) => ({
  pglite: join(dataDir, 'pglite'),
  postgres: join(dataDir, 'postgres'),
  mark: join(dataDir, 'postgres.moving'),
  copy: join(dataDir, 'pglite.copy'),
});

/**
 * Whether what PGlite wrote is still to be moved, or is being moved. A mark without PGlite's folder is of a move that was
 * killed after its last row: what PGlite may write later is not to be put over it.
 */
export function isToBeMoved(dataDir: string): boolean {
  const { pglite, postgres, mark } = foldersOf(dataDir);
  return isThere(join(pglite, 'PG_VERSION')) && (isThere(mark) || !holdsDatabase(postgres));
}

/** Before PostgreSQL makes its files: from now on they don't count until all is moved. */
export async function markMove(dataDir: string): Promise<void> {
  const { mark } = foldersOf(dataDir);
  await writeFile(mark, '');
  await syncFolder(dataDir);
}

/** Nothing is to be moved any more. */
export async function unmarkMove(dataDir: string): Promise<void> {
  await rm(foldersOf(dataDir).mark, { force: true });
}

/** A name that is free: a folder that was kept before stays, too. */
function keptName(pglite: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${pglite}.moved${number === 1 ? '' : `-${number}`}`;
    if (!isThere(name)) return name;
  }
}

async function writeAll(source: Database, target: Database, logger: Logger): Promise<number> {
  await migrate(source, logger);
  await migrate(target, logger);
  const rows = await target.transaction((tx) => copyTables(source, tx));
  await target.script('analyze');
  return rows;
}

/** Needs room for PGlite's files once more, where the disk can't share them between two files. */
async function copyAll(dataDir: string, target: Database, logger: Logger): Promise<number> {
  const { pglite, copy } = foldersOf(dataDir);
  // Of a move that was killed.
  await rm(copy, { recursive: true, force: true });
  try {
    await cp(pglite, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    const source = await openPgliteDatabase({ folder: copy, logger });
    try {
      return await writeAll(source, target, logger);
    } finally {
      await source.close();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Moves everything into the opened PostgreSQL; expects the mark. */
export async function moveFromPglite(dataDir: string, target: Database, logger: Logger): Promise<void> {
  const { pglite } = foldersOf(dataDir);
  const startedMs = performance.now();
  logger.info({ from: pglite }, 'moving what PGlite kept to PostgreSQL, once; this may take a minute');
  const rows = await copyAll(dataDir, target, logger);
  const kept = keptName(pglite);
  await rename(pglite, kept);
  await syncFolder(dataDir);
  await unmarkMove(dataDir);
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  logger.info({ rows, seconds, kept }, 'moved to PostgreSQL; what PGlite kept stays where `kept` says');
}
