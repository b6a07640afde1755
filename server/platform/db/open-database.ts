/** Chooses and opens the database of this server, holding the data folder's lock where its files lie there. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { lockFolder } from './folder-lock.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { openPostgresDatabase } from './postgres-database.ts';

export interface OpenDatabaseOptions {
  /** Undefined or empty: PGlite in dataDir. `embedded`: PostgreSQL run from dataDir. Else the URL of a PostgreSQL. */
  databaseUrl: string | undefined;
  dataDir: string;
  logger: Logger;
}

/** `fs.mkdir` alone would make the folder readable by others. */
const PRIVATE_FOLDER = 0o700;

async function openEmbedded(dataDir: string, logger: Logger): Promise<Database> {
  const server = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), logger });
  try {
    return await openPostgresDatabase({
      url: server.url('postgres'),
      logger,
      afterClose: () => server.stop(),
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Opens the database; `migrate` still has to bring its tables up to date. */
export async function openDatabase({ databaseUrl, dataDir, logger }: OpenDatabaseOptions): Promise<Database> {
  const isOwn = databaseUrl === undefined || databaseUrl === '' || databaseUrl === 'embedded';
  if (!isOwn) return openPostgresDatabase({ url: databaseUrl, logger });

  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const lock = await lockFolder(folder);
  try {
    const database =
      databaseUrl === 'embedded'
        ? await openEmbedded(folder, logger)
        : await openPgliteDatabase({ folder: join(folder, 'pglite'), logger });
    return {
      ...database,
      async close() {
        try {
          await database.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
