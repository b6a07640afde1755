/** The database of a server that runs: what a test writes there needs no other start of PostgreSQL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../server/platform/db/database.ts';
import { POSTGRES_USER, readPassword } from '../../server/platform/db/embedded/database-folder.ts';
import { lockFileOf } from '../../server/platform/db/embedded/launcher.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';

/** Opens it beside the server, through its socket; whoever opens it closes it. */
export async function openServerDatabase(dataDir: string): Promise<Database> {
  const folder = join(dataDir, 'postgres');
  // The server notes where its socket is, for a start after it was killed.
  const sockets = readFileSync(lockFileOf(folder), 'utf8').trim();
  const password = await readPassword(folder);
  return openPostgresDatabase({
    url: `postgresql://${POSTGRES_USER}:${password}@${encodeURIComponent(sockets)}:5432/postgres`,
    logger: pino({ level: 'silent' }),
    isPlain: true,
  });
}
