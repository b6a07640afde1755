/** SQL of rows that the upstream server refused for what is in them. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { noteReading } from '../../platform/jobs/job-history-query.ts';
import type { PushTable } from '../push-tables.ts';
import type { OutgoingRow } from './outgoing-query.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** In one row of the job history. */
const NAMED = 10;

export interface RefusedRow {
  row: OutgoingRow;
  error: string;
}

const ROWS = `jsonb_array_elements($2::text::jsonb) as sent`;
const keysOf = (rows: readonly OutgoingRow[]) => toJson(rows.map(({ key, version }) => ({ key, version })));

/** Keeps them from going again for a while: a minute first, ever longer then, a day at most. */
export async function setAside(
  db: Queryable,
  { table, refused, now }: { table: PushTable; refused: readonly RefusedRow[]; now: Date },
): Promise<void> {
  const rows = refused.map(({ row: { key, version }, error }) => ({ key, version, error }));
  await db.run(
    `insert into push_refusals as known (table_name, key, version, error, refused_at, retry_at)
     select $1, sent -> 'key', sent ->> 'version', sent ->> 'error', $3::timestamptz, $3::timestamptz + interval '1 minute'
     from ${ROWS}
     on conflict (table_name, key) do update set version = excluded.version, error = excluded.error,
       tries = known.tries + 1, refused_at = excluded.refused_at,
       retry_at = excluded.refused_at + least(interval '1 day', interval '1 minute' * 2 ^ least(known.tries, 11))`,
    [table.name, toJson(rows), now],
  );
}

/** They were stored after all. */
export function takeBack(
  db: Queryable,
  { table, rows }: { table: PushTable; rows: readonly OutgoingRow[] },
): Promise<number> {
  return db.run(
    `delete from push_refusals as known using ${ROWS} where known.table_name = $1 and known.key = sent -> 'key'`,
    [table.name, keysOf(rows)],
  );
}

const asideRow = z.strictObject({ key: z.string(), error: z.string(), retry_at: z.string() });

/** Those of a table that wait now. */
export function readAside(
  db: Queryable,
  { table, now }: { table: string; now: Date },
): Promise<z.infer<typeof asideRow>[]> {
  return db.rows(
    asideRow,
    `select key::text, error, retry_at from push_refusals
      where table_name = $1 and retry_at > $2::timestamptz order by refused_at, key`,
    [table, now],
  );
}

/** Of these ids of a table, those that wait now. */
export async function asideIds(
  db: Queryable,
  { table, ids, now }: { table: string; ids: readonly string[]; now: Date },
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(
    z.strictObject({ id: z.string() }),
    `select key ->> 'id' as id from push_refusals
      where table_name = $1 and key ->> 'id' = any($2::text[]) and retry_at > $3::timestamptz`,
    [table, ids, now],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Rows that are gone here since have nothing to wait for. */
export async function forgetGone(db: Queryable, now: Date): Promise<void> {
  await db.run(`delete from push_refusals where retry_at < $1::timestamptz - interval '1 day'`, [now]);
}

/** Says in the job history what waits of the table; upstream sees it there, too. */
export async function noteAside(db: Queryable, table: string, now: Date): Promise<number> {
  const waiting = await readAside(db, { table, now });
  const errors = waiting.slice(0, NAMED).map(({ key, error }) => `${table} ${key}: ${error}`);
  if (waiting.length > NAMED) errors.push(`and ${waiting.length - NAMED} more`);
  // Its own rows would tell of themselves for ever.
  if (table !== 'job_history')
    await noteReading(db, { name: 'PushUpstream', resourceType: 'agent_push', resourceId: table }, errors);
  return waiting.length;
}
