/** SQL of checks that turned out not to be run by this server. */
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Says of checks why they are not run; they are unknown from then on. Answers how many said something else before. */
export async function markNotRun(
  db: Queryable,
  checks: readonly { id: string; reason: string }[],
): Promise<number> {
  return db.run(
    `update checks set not_run_reason = told.reason, status = null, next_runtime = null, blind_since = null
     from json_to_recordset($1::json) as told(id uuid, reason text)
     where checks.id = told.id and (checks.not_run_reason is distinct from told.reason or checks.status is not null)`,
    [toJson(checks)],
  );
}
