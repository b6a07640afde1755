/** SQL of the roll-up: what components say of themselves, and what was summed up over them (schema §6.5). */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { rolledUpColumns } from '../store/components-query.ts';
import { toJson } from '../../platform/db/to-json.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;

const rollUpRow = z.strictObject({
  ...rolledUpColumns,
  properties: z.unknown(),
  labels: z.unknown(),
  is_local: z.boolean(),
  stored_status: z.string(),
  stored_health: z.string().nullable(),
  stored_summary: z.unknown(),
});
export type RollUpRow = z.infer<typeof rollUpRow>;

/** All live components. */
export function rollUpRows(db: Queryable): Promise<RollUpRow[]> {
  return db.rows(
    rollUpRow,
    `select id, name, parent_id, type, own_status as status, own_health as health, status_expr, health_expr, checks,
       incidents, analysis, children, own_summary,
       case when coalesce(status_expr, health_expr) is not null then properties end as properties,
       case when coalesce(status_expr, health_expr) is not null then labels end as labels,
       agent_id = ${NIL} as is_local, status as stored_status, health as stored_health, summary as stored_summary
     from components_as_rolled_up`,
  );
}

export interface FoundState {
  id: string;
  status: string;
  health: string | null;
  summary: unknown;
}

/** Stores what was found; no component says this of itself. */
export async function writeFound(tx: Queryable, found: readonly FoundState[]): Promise<void> {
  await tx.text(`select set_config('holdfast.roll_up', 'on', true)`);
  await tx.run(
    `update components set status = row.status, health = row.health, summary = row.summary
     from json_to_recordset($1::json) as row(id uuid, status text, health text, summary jsonb)
     where components.id = row.id`,
    [toJson(found)],
  );
  await tx.text(`select set_config('holdfast.roll_up', 'off', true)`);
}

/** The newest change of anything that components show, as the change log has it. */
export async function componentMark(db: Queryable): Promise<string> {
  return (
    (await db.text(`select coalesce(max(seq), 0)::text from change_log where collection = 'components'`)) ??
    '0'
  );
}
