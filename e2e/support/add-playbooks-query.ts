/**
 * Writes playbooks and their runs into the database of a stopped server: runs are written by nobody but the server.
 * `npx tsx e2e/support/add-playbooks-query.ts DATA_DIR`.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { migrate } from '../../server/platform/db/migrate.ts';
import { openDatabase } from '../../server/platform/db/open-database.ts';
import { playbookRows } from './playbook-estate.ts';

/** Columns that a row doesn't name get their defaults. */
const insert = (table: string, columns: readonly string[]) => `
insert into ${table} (${columns.join(', ')})
  select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)
  on conflict do nothing`;

async function addPlaybooks(dataDir: string): Promise<void> {
  const logger = pino({ level: 'silent' });
  const db = await openDatabase({ databaseUrl: undefined, dataDir, logger });
  await migrate(db, logger);
  for (const [table, rows] of playbookRows())
    for (const row of rows) await db.run(insert(table, Object.keys(row)), [JSON.stringify([row])]);
  await db.close();
}

const [script, dataDir] = process.argv.slice(1);
if (script === fileURLToPath(import.meta.url) && dataDir !== undefined) await addPlaybooks(dataDir);

/** In a process of its own: the database is let go when that ends. */
export async function writePlaybooks(dataDir: string): Promise<void> {
  const args = ['--import', 'tsx', 'e2e/support/add-playbooks-query.ts', dataDir];
  await promisify(execFile)(process.execPath, args);
}
