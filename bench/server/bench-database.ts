/** A migrated database of one kind, in this process's care. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../server/platform/db/database.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openDatabase } from '../../server/platform/db/open-database.ts';
import { openPgliteDatabase } from '../../server/platform/db/pglite-database.ts';

/** Opens it, does the work and takes it away. */
export async function withDatabase(
  kind: Database['kind'],
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const logger = pino({ level: 'warn' });
  const db =
    kind === 'pglite'
      ? await openPgliteDatabase({ folder: join(dataDir, 'pglite'), logger })
      : await openDatabase({ databaseUrl: 'embedded', dataDir, logger });
  try {
    await migrate(db, logger);
    await work(db);
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
