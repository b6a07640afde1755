/** SQL of stored results: statuses, the check's own row, its summary of the last hour (schema §4.5, §4.6). */
import { z } from 'zod';
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** One run, ready to be stored. Times are ISO; `durationMs` is whole ms. */
export interface ResultRow {
  check_id: string;
  time: string;
  status: boolean;
  invalid: boolean;
  duration: number;
  message: string | null;
  error: string | null;
  details: unknown;
  next_runtime: string | null;
}

const INPUT = `json_to_recordset($1::json) as input(check_id uuid, time timestamptz, status boolean, invalid boolean,
  duration integer, message text, error text, details jsonb, next_runtime timestamptz)`;

/** Not of a run that was under way when its check was said not to be run: what is known of it stays as it is. */
const STILL_RUN = '(checks.not_run_reason is null or checks.updated_at < input.time)';

/** What a check's runs of the last hour add up to, and where it had none, its newest run alone. */
const SUMMARY_OF = (ids: string) => `
with wanted as (${ids}), summed as (
  select wanted.id,
    percentile_disc(array[0.99, 0.95, 0.5]) within group (order by coalesce(s.duration, 0)) as percentiles,
    avg(coalesce(s.duration, 0)) as mean,
    count(*) filter (where s.status) as passed,
    count(*) filter (where not s.status) as failed,
    max(s.time) as last_check,
    max(s.time) filter (where s.status) as last_pass,
    max(s.time) filter (where not s.status) as last_fail
  from wanted
  cross join lateral (
    select duration, status, time from check_statuses
    where check_id = wanted.id and time > least(now() - interval '1 hour',
      (select max(newest.time) - interval '1 microsecond' from check_statuses newest where newest.check_id = wanted.id))
    order by time desc
  ) s
  where s.status is not null
  group by wanted.id
)
insert into check_status_summary
  (check_id, p99, p95, p50, mean, passed, failed, last_check, last_pass, last_fail, computed_at)
select id, percentiles[1], percentiles[2], percentiles[3], mean, passed, failed, last_check, last_pass, last_fail, now()
from summed
on conflict (check_id) do update set
  p99 = excluded.p99, p95 = excluded.p95, p50 = excluded.p50, mean = excluded.mean, passed = excluded.passed,
  failed = excluded.failed, last_check = excluded.last_check, last_pass = excluded.last_pass,
  last_fail = excluded.last_fail, computed_at = excluded.computed_at, recent_runs = excluded.recent_runs`;

/**
 * Stores runs: a second run at the same time is left out, the check takes over its newest run, its summary is
 * computed anew. What a clock said that was ahead and was set back since does not count as newer. Call it inside a
 * transaction.
 */
export async function storeResults(tx: Queryable, rows: readonly ResultRow[]): Promise<void> {
  const input = toJson(rows);
  await tx.run(
    `insert into check_statuses (check_id, time, status, invalid, duration, message, error, details)
     select input.check_id, input.time, input.status, input.invalid, input.duration, input.message, input.error, input.details
     from ${INPUT} join checks on checks.id = input.check_id and ${STILL_RUN}
     on conflict (check_id, time) do nothing`,
    [input],
  );
  await tx.run(
    `update checks set status = case when newest.status then 'healthy' else 'unhealthy' end, not_run_reason = null, blind_since = null,
       last_runtime = date_trunc('second', newest.time), next_runtime = newest.next_runtime
     from (select distinct on (input.check_id) input.check_id, input.status, input.time, input.next_runtime
           from ${INPUT} join checks on checks.id = input.check_id and ${STILL_RUN}
           order by input.check_id, input.time desc) newest
     where checks.id = newest.check_id
       and (checks.last_runtime is null or checks.last_runtime <= newest.time
         or checks.last_runtime > now() + interval '1 minute')`,
    [input],
  );
  await tx.run(SUMMARY_OF(`select distinct input.check_id as id from ${INPUT}`), [input]);
}

/** Others who write wait for what changes many rows at once, and devices take it in one piece. */
const AGED_AT_ONCE = 100;

/**
 * Recomputes a few summaries that have runs older than the last hour in them, those that waited longest, and touches
 * their checks so that readers fetch them; answers how many changed.
 */
export async function ageSummaries(tx: Queryable, olderThanMs: number): Promise<number> {
  const due = await tx.rows(
    idRow,
    `select check_id as id from check_status_summary
     where computed_at < now() - make_interval(secs => $1) and passed + failed > 1
     order by computed_at limit ${AGED_AT_ONCE}`,
    [olderThanMs / 1000],
  );
  if (due.length === 0) return 0;
  await tx.run(SUMMARY_OF('select id from json_to_recordset($1::json) as due(id uuid)'), [toJson(due)]);
  return tx.run(
    `update checks set updated_at = now() from json_to_recordset($1::json) as due(id uuid)
     where checks.id = due.id and checks.deleted_at is null`,
    [toJson(due)],
  );
}

/**
 * Computes the summaries of checks that have runs which nobody summed up: from an import, or pushed by an agent.
 * Those checks ran when their newest run did. Answers how many changed.
 */
export async function refreshSummaries(db: Queryable): Promise<number> {
  const refreshed = Number(await db.text('select refresh_check_status_summary()::text'));
  const dated = await db.run(
    `update checks set last_runtime = date_trunc('second', known.last_check)
     from check_status_summary as known
     where known.check_id = checks.id and checks.deleted_at is null
       and (checks.last_runtime is null or checks.last_runtime < date_trunc('second', known.last_check))`,
  );
  return refreshed + dated;
}

const AGGREGATE = (table: string, unit: string, hours: number) => `
insert into ${table} (check_id, created_at, duration, total, passed, failed)
select check_id, date_trunc('${unit}', time), coalesce(sum(duration), 0), count(*),
  count(*) filter (where status), count(*) filter (where not status)
from check_statuses where time >= date_trunc('${unit}', now() - interval '${hours} hours')
group by 1, 2
on conflict (check_id, created_at) do update set duration = excluded.duration, total = excluded.total,
  passed = excluded.passed, failed = excluded.failed`;

/** Sums of the last three hours into check_statuses_1h (hourly job). */
export async function aggregateHours(db: Queryable): Promise<void> {
  await db.run(AGGREGATE('check_statuses_1h', 'hour', 3));
}

/** Sums of the last three days into check_statuses_1d (daily job). */
export async function aggregateDays(db: Queryable): Promise<void> {
  await db.run(AGGREGATE('check_statuses_1d', 'day', 72));
}

const NIL = `'00000000-0000-0000-0000-000000000000'`;

/**
 * Deletes runs older than the retention, hourly sums after three times that, daily sums after nine times. At an agent those
 * that upstream never got are counted as given up (docs/agents.md).
 */
export async function deleteOldResults(db: Queryable, retentionDays: number): Promise<void> {
  const older = 'now() - make_interval(days => $1::integer)';
  await db.run(
    `with gone as (delete from check_statuses where time < ${older} returning check_id, is_pushed)
     update upstream_link set thinned_rows = thinned_rows + (select count(*) from gone
       where not is_pushed and exists (select from checks where checks.id = check_id and agent_id = ${NIL}))`,
    [retentionDays],
  );
  await db.run(`delete from check_statuses_1h where created_at < ${older}`, [retentionDays * 3]);
  await db.run(`delete from check_statuses_1d where created_at < ${older}`, [retentionDays * 9]);
}

/** Removes checks and canaries that were soft-deleted longer ago than their retention. */
export async function deleteRetired(db: Queryable, retentionDays: number): Promise<void> {
  const older = 'now() - make_interval(days => $1::integer)';
  await db.run(`delete from checks where deleted_at < ${older}`, [retentionDays]);
  await db.run(`delete from canaries where deleted_at < ${older}`, [retentionDays]);
}

const retentionRow = z.strictObject({ value: z.string() });

/** `check.status.retention.days` of the properties, else the default. */
export async function statusRetentionDays(db: Queryable, fallback: number): Promise<number> {
  const [row] = await db.rows(
    retentionRow,
    `select value from properties where name = 'check.status.retention.days'`,
  );
  const days = Number(row?.value);
  return Number.isInteger(days) && days > 0 ? days : fallback;
}
