/** For tests only: the rows of the shared data set in a test database, nulls left to the columns' defaults. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database, Queryable } from '../../../server/platform/db/database.ts';

/** The data set's folder; it is data of public projects and lies beside the repository. */
export const DATASET = join('..', 'shared', 'fixtures', 'dataset');

type Row = Readonly<Record<string, unknown>>;

function readRows(table: string): Row[] {
  return JSON.parse(readFileSync(join(DATASET, `${table}.json`), 'utf8')) as Row[];
}

async function columnsOf(tx: Queryable, table: string): Promise<Set<string>> {
  const rows = await tx.rows(
    z.custom<{ name: string }>(),
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return new Set(rows.map(({ name }) => name));
}

async function loadTable(tx: Queryable, table: string): Promise<void> {
  const known = await columnsOf(tx, table);
  for (const row of readRows(table)) {
    const columns = Object.keys(row).filter((name) => known.has(name) && row[name] !== null);
    if (columns.length === 0) continue;
    const list = columns.map((name) => `"${name}"`).join(', ');
    await tx.run(
      `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1::jsonb)
        on conflict do nothing`,
      [row],
    );
  }
}

/** Loads the tables' rows, in this order. */
export async function loadFixtureRows(db: Database, tables: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of tables) await loadTable(tx, table);
  });
}
