/** Makes what prepared-databases.ts keeps in the folder named by the first argument. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { migrate } from '../server/platform/db/migrate.ts';
import { openDatabase } from '../server/platform/db/open-database.ts';
import { openPgliteDatabase } from '../server/platform/db/pglite-database.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder to write to');
const pglite = join(folder, 'pglite-data/pglite');

async function writeImage(name: string): Promise<void> {
  const database = new PGlite({ dataDir: pglite });
  await database.waitReady;
  const image = await database.dumpDataDir('none');
  await database.close();
  await writeFile(join(String(folder), name), Buffer.from(await image.arrayBuffer()));
}

const logger = pino({ level: 'silent' });
const made = await openPgliteDatabase({ folder: pglite, logger });
await made.close();
await writeImage('empty.tar');
const migrated = await openPgliteDatabase({ folder: pglite, logger });
await migrate(migrated, logger);
await migrated.close();
await writeImage('migrated.tar');

const postgres = await openDatabase({
  databaseUrl: 'embedded',
  dataDir: join(folder, 'postgres-data'),
  logger,
});
await migrate(postgres, logger);
await postgres.close();
