/** SQL of the runs of one check. */
import type { Queryable } from '../../platform/db/database.ts';

/** The newest runs of a check in a window, as JSON text. */
export async function readRuns(
  db: Queryable,
  window: { checkId: string; from: Date; until: Date; limit: number },
): Promise<string> {
  const text = await db.text(
    `select coalesce(json_agg(json_strip_nulls(to_json(r))), '[]')::text
       from (select time, status, duration, message, error, invalid
               from check_statuses
              where check_id = $1::uuid and time >= $2::timestamptz and time <= $3::timestamptz
              order by time desc limit $4::int) r`,
    [window.checkId, window.from, window.until, window.limit],
  );
  return text ?? '[]';
}
