/** For tests only: the public projects' rows, with times that were "now" moved to the present. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database, Queryable } from '../../../platform/db/database.ts';

const FOLDER = '../shared/fixtures/dataset';

type Row = Record<string, unknown>;

interface Meta {
  reference_now: string;
  load_order: string[];
  relative_to_reference_now: Record<
    string,
    { columns?: string[]; only_names?: string[]; except_check_ids?: string[] }
  >;
}

/** A JSON file of the data set, as its reader says what it is. */
export async function readDatasetFile<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(FOLDER, path), 'utf8')) as T;
}

function movedBy(meta: Meta, table: string, nowMs: number): (row: Row) => Row {
  const rule = meta.relative_to_reference_now[table];
  const offsetMs = nowMs - Date.parse(meta.reference_now);
  return (row) => {
    const isFixed =
      (rule?.only_names !== undefined && !rule.only_names.includes(String(row['name']))) ||
      (rule?.except_check_ids?.includes(String(row['check_id'])) ?? false);
    if (isFixed) return row;
    const moved = (rule?.columns ?? []).flatMap((column) => {
      const time = row[column];
      return typeof time === 'string' ? [[column, new Date(Date.parse(time) + offsetMs).toISOString()]] : [];
    });
    return { ...row, ...(Object.fromEntries(moved) as Row) };
  };
}

async function insertRow(tx: Queryable, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  await tx.run(
    `insert into ${table} (${columns.join(', ')})
     select ${columns.join(', ')} from json_populate_record(null::${table}, $1::json)
     on conflict do nothing`,
    [JSON.stringify(row)],
  );
}

/** Loads what our tables have a place for; what upstream leaves to its defaults is left to ours. */
export async function loadDataset(db: Database): Promise<void> {
  const [clock] = await db.rows(z.custom<{ now: string }>(), 'select now() as now');
  const nowMs = Date.parse(clock?.now ?? '');
  const meta = await readDatasetFile<Meta>('_meta.json');
  const known = await db.rows(
    z.custom<{ table: string; columns: string[] }>(),
    `select table_name::text as "table", json_agg(column_name) as columns
     from information_schema.columns where table_schema = 'public' group by table_name`,
  );
  const columnsOf = new Map(known.map(({ table, columns }) => [table, new Set(columns)]));
  await db.transaction(async (tx) => {
    await tx.run('set constraints all deferred');
    for (const table of meta.load_order) {
      const columns = columnsOf.get(table);
      if (columns === undefined) continue;
      const rows = await readDatasetFile<Row[]>(`${table}.json`);
      for (const row of rows.map(movedBy(meta, table, nowMs))) {
        const filled = Object.entries(row).filter(([name, value]) => value !== null && columns.has(name));
        await insertRow(tx, table, Object.fromEntries(filled));
      }
    }
  });
  await db.text('select refresh_check_status_summary()::text');
}
