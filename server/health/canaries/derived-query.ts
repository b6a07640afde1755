/** Checks that a transform makes: kept as checks of the canary, marked `transformed` (schema §4.4). */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { DerivedCheck } from '../results/outcome.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** The check whose transform makes others. Two of one canary must not retire each other's. */
export interface DerivingCheck {
  canaryId: string;
  /** `type/name`, kept in the spec of what it makes. */
  from: string;
}

const savedCheck = z.strictObject({ id: z.string(), type: z.string(), name: z.string() });

/** Saves them; answers their ids in the same order. */
export async function saveDerivedChecks(
  tx: Queryable,
  parent: DerivingCheck,
  checks: readonly DerivedCheck[],
): Promise<string[]> {
  const rows = await tx.rows(
    savedCheck,
    `insert into checks (canary_id, type, name, namespace, description, icon, labels, spec, transformed)
     select distinct on (type, name) $1::uuid, type, name, namespace, description, icon, labels,
       jsonb_build_object('transformed_from', $3::text), true
     from json_to_recordset($2::json) as made(type text, name text, namespace text, description text, icon text, labels jsonb)
     on conflict (canary_id, type, name, agent_id) do update set namespace = excluded.namespace,
       description = excluded.description, icon = excluded.icon, labels = excluded.labels, spec = excluded.spec,
       transformed = true, deleted_at = null
     returning id, type, name`,
    [parent.canaryId, toJson(checks), parent.from],
  );
  const ids = new Map(rows.map((row) => [`${row.type}\n${row.name}`, row.id]));
  return checks.map((check) => ids.get(`${check.type}\n${check.name}`) ?? '');
}

/** Soft-deletes derived checks of a parent that were not made again; marked first as the strategy says. */
export async function retireDerivedChecks(
  tx: Queryable,
  parent: DerivingCheck,
  retired: { keptIds: readonly string[]; status: 'healthy' | 'unhealthy' | null },
): Promise<void> {
  await tx.run(
    `update checks set deleted_at = now(), status = coalesce($3::text, status)
     where canary_id = $1 and transformed and spec ->> 'transformed_from' = $4 and deleted_at is null
       and id not in (select id from json_to_recordset($2::json) as kept(id uuid))`,
    [parent.canaryId, toJson(retired.keptIds.map((id) => ({ id }))), retired.status, parent.from],
  );
}

const resultRow = z.strictObject({
  status: z.boolean().nullable(),
  invalid: z.boolean().nullable(),
  created_at: z.string(),
  duration: z.number().nullable(),
  message: z.string().nullable(),
  error: z.string().nullable(),
  details: z.unknown(),
});

/** The newest stored run of a check, as `last_result()` shows it. */
export async function newestResult(db: Queryable, checkId: string): Promise<unknown> {
  const [row] = await db.rows(
    resultRow,
    `select status, invalid, created_at, duration, message, error, details from check_statuses
     where check_id = $1 order by time desc limit 1`,
    [checkId],
  );
  if (row === undefined) return null;
  const { created_at: createdAt, details, ...rest } = row;
  return { ...rest, createdAt, results: details ?? {} };
}
