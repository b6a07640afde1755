/** SQL of how an agent's database stays bounded: the oldest runs that wait are thinned, transitions last. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;
/** Of this server's own checks. */
const IS_OWN = `exists (select from checks where checks.id = check_id and checks.agent_id = ${NIL})`;
const countRow = z.strictObject({ count: z.number() });

/** Runs of checks that wait. */
export async function waitingRuns(db: Queryable): Promise<number> {
  const rows = await db.rows(
    countRow,
    `select count(*)::float8 as count from check_statuses where not is_pushed and ${IS_OWN}`,
    [],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Of the oldest `among` runs that wait, takes out at most `limit` that say nothing new: of the same outcome as the run
 * before and not the first of their check in `everySeconds`. Answers how many.
 */
export function thinRuns(
  tx: Queryable,
  { among, limit, everySeconds }: { among: number; limit: number; everySeconds: number },
): Promise<number> {
  return tx.run(
    `with oldest as (
       select check_id, time, status, floor(extract(epoch from time) / $3::integer) as slot
       from check_statuses where not is_pushed and ${IS_OWN} order by time, check_id limit $1::bigint
     ), judged as (
       select check_id, time, status is not distinct from lag(status) over runs as is_same,
         slot is not distinct from lag(slot) over runs as is_in_slot
       from oldest window runs as (partition by check_id order by time)
     ), doomed as (
       select check_id, time from judged where is_same and is_in_slot order by time, check_id limit $2::bigint
     )
     delete from check_statuses as own using doomed
     where own.check_id = doomed.check_id and own.time = doomed.time and not own.is_pushed`,
    [among, limit, everySeconds],
  );
}

/** Takes out the oldest runs that wait, whatever they say. Answers how many. */
export function dropRuns(tx: Queryable, limit: number): Promise<number> {
  return tx.run(
    `delete from check_statuses as own using (
       select check_id, time from check_statuses where not is_pushed and ${IS_OWN} order by time, check_id limit $1::bigint
     ) as doomed
     where own.check_id = doomed.check_id and own.time = doomed.time and not own.is_pushed`,
    [limit],
  );
}

/** Counts what was taken out. */
export function noteThinned(tx: Queryable, count: number): Promise<number> {
  return tx.run('update upstream_link set thinned_rows = thinned_rows + $1::bigint', [count]);
}
