/** SQL of what waits at an agent, as it says it at each ping. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const backlogRow = z.strictObject({ rows: z.number(), since: z.string().nullable(), thinned: z.number() });
export type Backlog = z.infer<typeof backlogRow>;

/** Rows to push, since when the oldest run waits, and how many were given up so far. */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const rows = await db.rows(
    backlogRow,
    `select (select count(*) from canaries where not is_pushed and agent_id = local.id
          and source is distinct from 'upstream')::float8
        + (select count(*) from checks where not is_pushed and agent_id = local.id)::float8 + runs.rows as rows,
       runs.since, coalesce((select thinned_rows from upstream_link), 0)::float8 as thinned
     from (select '00000000-0000-0000-0000-000000000000'::uuid as id) as local
     cross join lateral (select count(*)::float8 as rows, min(time) as since from check_statuses
       join checks on checks.id = check_id and checks.agent_id = local.id
       where not check_statuses.is_pushed) as runs`,
    [],
  );
  return rows[0] ?? { rows: 0, since: null, thinned: 0 };
}
