/**
 * SQL of what an agent has still to push: its own rows with `is_pushed` unset. A row is marked only in the version that
 * was sent, so what changes meanwhile is sent again.
 */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

/** In the order in which they are pushed: parents first. */
export const OUTGOING_TABLES = ['canaries', 'checks', 'check_statuses'] as const;
export type OutgoingTable = (typeof OUTGOING_TABLES)[number];

const outgoingRow = z.strictObject({
  id: z.string(),
  time: z.string().nullable(),
  version: z.string(),
  row: z.unknown(),
});
export type OutgoingRow = z.infer<typeof outgoingRow>;

const NIL = `'00000000-0000-0000-0000-000000000000'`;
/** Canaries that come from upstream are known there. */
export const UPSTREAM_SOURCE = 'upstream';

/** Never with a secret: literals stay here, and are not needed there. */
const ROWS: Readonly<Record<OutgoingTable, string>> = {
  canaries: `select id::text, null as time, xmin::text as version, to_jsonb((select own from (select id, name, namespace,
      labels, annotations, shown_spec(spec, false) as spec, source, created_at, updated_at, deleted_at) as own)) as row
    from canaries where not is_pushed and agent_id = ${NIL} and source is distinct from '${UPSTREAM_SOURCE}'
    order by id limit $1`,
  checks: `select id::text, null as time, xmin::text as version, to_jsonb((select own from (select id, canary_id, type,
      name, namespace, description, icon, shown_spec(spec, false) as spec, labels, owner, severity, transformed,
      last_runtime, last_transition_time, next_runtime, status, not_run_reason, created_at, updated_at,
      deleted_at) as own)) as row
    from checks where not is_pushed and agent_id = ${NIL} order by id limit $1`,
  check_statuses: `select check_id::text as id, time::text, check_statuses.xmin::text as version,
      to_jsonb((select own from (select check_id, time, check_statuses.status, invalid, duration, message, error, details,
      check_statuses.created_at) as own)) as row
    from check_statuses join checks on checks.id = check_id and checks.agent_id = ${NIL}
    where not check_statuses.is_pushed order by time, check_id limit $1`,
};

/** Rows to push, the oldest runs first. */
export function outgoingRows(db: Queryable, table: OutgoingTable, limit: number): Promise<OutgoingRow[]> {
  return db.rows(outgoingRow, ROWS[table], [limit]);
}

const SENT = `json_to_recordset($1::json) as sent(id uuid, time timestamptz, version text)`;

/** Marks the rows that were stored upstream, unless they have changed since they were read. */
export function markPushed(
  db: Queryable,
  table: OutgoingTable,
  rows: readonly OutgoingRow[],
): Promise<number> {
  const isSent =
    table === 'check_statuses'
      ? 'check_statuses.check_id = sent.id and check_statuses.time = sent.time'
      : `${table}.id = sent.id`;
  return db.run(
    `update ${table} set is_pushed = true from ${SENT} where ${isSent} and ${table}.xmin::text = sent.version`,
    [JSON.stringify(rows.map(({ id, time, version }) => ({ id, time, version })))],
  );
}

/** What these rows hang on is pushed again: the canaries of checks, the checks of runs. */
export function pushParentsAgain(
  db: Queryable,
  table: OutgoingTable,
  ids: readonly string[],
): Promise<number> {
  return table === 'checks'
    ? db.run(
        `update canaries set is_pushed = false where is_pushed
           and id in (select canary_id from checks where checks.id = any($1::uuid[]))`,
        [ids],
      )
    : db.run('update checks set is_pushed = false where is_pushed and id = any($1::uuid[])', [ids]);
}

/** Only agents look for runs that were not pushed, so only they have the index. */
export async function ensureOutgoingIndex(db: Queryable): Promise<void> {
  await db.run(
    'create index if not exists check_statuses_outgoing_idx on check_statuses (time, check_id) where not is_pushed',
  );
}
