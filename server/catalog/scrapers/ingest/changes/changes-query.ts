/** SQL of stored changes. Statements take whole sets; call them inside a transaction. */
import { z } from 'zod';
import type { Queryable } from '../../../../platform/db/database.ts';
import { toJson } from '../../../../platform/db/to-json.ts';

/** A change as a row; `id` of a stored one to take its place, null for a new one. Times are ISO text. */
export interface ChangeRow {
  id: string | null;
  config_id: string;
  external_change_id: string | null;
  external_created_by: string | null;
  change_type: string;
  severity: string;
  source: string | null;
  summary: string | null;
  details: unknown;
  patches: unknown;
  diff: string | null;
  created_at: string;
  first_observed: string;
  count: number;
  fingerprint: string;
}

const storedOccurrence = z.strictObject({
  id: z.string(),
  config_id: z.string(),
  fingerprint: z.string(),
  external_change_id: z.string().nullable(),
  created_at: z.string(),
  first_observed: z.string(),
  count: z.number(),
});
export type StoredOccurrence = z.infer<typeof storedOccurrence>;

const reportedRow = z.strictObject({ place: z.number(), is_same: z.boolean() });

/**
 * Which of these are stored under their own external id, and whether that tells nothing new: the row may have moved on
 * with later occurrences, so what is older than it was counted already.
 */
export async function findReported(
  tx: Queryable,
  rows: readonly {
    place: number;
    config_id: string;
    external_change_id: string;
    details: unknown;
    created_at: string | null;
  }[],
): Promise<{ place: number; is_same: boolean }[]> {
  if (rows.length === 0) return [];
  return tx.rows(
    reportedRow,
    `select input.place,
       coalesce(input.created_at < change.created_at, false)
         or (change.details is not distinct from input.details
           and (input.created_at is null or input.created_at = change.created_at)) as is_same
     from json_to_recordset($1::json) as input(place integer, config_id uuid, external_change_id text,
       details jsonb, created_at timestamptz)
     join config_changes as change
       on change.config_id = input.config_id and change.external_change_id = input.external_change_id`,
    [toJson(rows)],
  );
}

/** What happened to the same items in the same way from a time on. */
export async function findOccurrences(
  tx: Queryable,
  wanted: readonly { config_id: string; fingerprint: string; since: string }[],
): Promise<StoredOccurrence[]> {
  if (wanted.length === 0) return [];
  return tx.rows(
    storedOccurrence,
    `select change.id, change.config_id, change.fingerprint, change.external_change_id, change.created_at,
       change.first_observed, change.count
     from json_to_recordset($1::json) as input(config_id uuid, fingerprint text, since timestamptz)
     join config_changes as change on change.fingerprint = input.fingerprint
       and change.config_id = input.config_id and change.created_at >= input.since
     order by change.created_at, change.id`,
    [toJson(wanted)],
  );
}

/**
 * Stores changes. A row with the id of a stored one, or with its external id, takes its place: the table's own rule
 * (schema §1.7) merges them, which is also the only way to raise a count.
 */
export async function insertChanges(tx: Queryable, rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `insert into config_changes (id, config_id, external_change_id, external_created_by, change_type, severity, source,
       summary, details, patches, diff, created_at, first_observed, count, fingerprint)
     select coalesce(input.id, generate_ulid()), input.config_id, input.external_change_id, input.external_created_by,
       input.change_type, input.severity, input.source, input.summary, input.details, input.patches, input.diff,
       input.created_at, input.first_observed, input.count, input.fingerprint
     from json_to_recordset($1::json) as input(id uuid, config_id uuid, external_change_id text,
       external_created_by text, change_type text, severity text, source text, summary text, details jsonb,
       patches jsonb, diff text, created_at timestamptz, first_observed timestamptz, count integer, fingerprint text)
     order by input.created_at`,
    [toJson(rows)],
  );
}

const deletedRow = z.strictObject({ type: z.string() });

/** Soft-deletes items because a change said so; answers the types of those that were live. */
export async function deleteItems(
  tx: Queryable,
  rows: readonly { id: string; at: string }[],
): Promise<{ type: string }[]> {
  if (rows.length === 0) return [];
  const deleted = await tx.rows(
    deletedRow,
    `select item.type from json_to_recordset($1::json) as input(id uuid) join config_items as item on item.id = input.id
     where item.deleted_at is null for update of item`,
    [toJson(rows)],
  );
  await tx.run(
    `update config_items as item set deleted_at = input.at, delete_reason = 'FROM_ATTRIBUTE'
     from (select distinct on (given.id) given.id, given.at
           from json_to_recordset($1::json) as given(id uuid, at timestamptz) order by given.id, given.at) as input
     where item.id = input.id and item.deleted_at is null`,
    [toJson(rows)],
  );
  return deleted;
}
