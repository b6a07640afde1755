/** SQL of the health summary. Answers the database's own JSON text: ten thousand rows never become objects here. */
import type { Queryable } from '../../platform/db/database.ts';

/** A check whose state nobody knows says so: a reader may take no word at all for good news. */
const STATE = `coalesce(nullif(s.status, ''), 'unknown')`;

const ROW = `s.id, s.canary_id, s.canary_name, s.canary_namespace, s.name, s.namespace, s.type, s.icon,
       s.description, s.endpoint, s.owner, s.severity, s.labels, ${STATE} as status, s.agent_id, s.agent_name,
       s.last_runtime, s.next_runtime, s.last_transition_time, s.created_at, s.updated_at, s.deleted_at,
       s.silenced_at, s.not_run_reason`;

/** Live and unsilenced, and carrying all the labels that were asked for; `deletedSince` adds deleted ones. */
const ASKED = `s.silenced_at is null and (s.deleted_at is null or s.deleted_at > $1::timestamptz)
       and ($2::jsonb is null or s.labels @> $2::jsonb)
       and ($3::uuid is null or s.id = $3::uuid)`;

export interface SummaryFilter {
  deletedSince: Date | null;
  labels: Record<string, string> | null;
  checkId: string | null;
}

const asked = (filter: SummaryFilter) => [filter.deletedSince, filter.labels, filter.checkId];

/** Zeros for checks that never ran, and no nulls: the contract leaves empty fields out. */
function asJson(rows: string): string {
  return `select coalesce(json_agg(json_strip_nulls(to_json(r))), '[]')::text from (${rows}) r`;
}

/**
 * The summary of the last hour, as the runner keeps it. What it keeps of a check that didn't run since is of its
 * newest run: that is no figure of the hour.
 */
export async function readSummary(db: Queryable, filter: SummaryFilter): Promise<string> {
  const rows = `
    select ${ROW},
           jsonb_build_object('passed', coalesce((hour.uptime ->> 'passed')::int, 0),
                              'failed', coalesce((hour.uptime ->> 'failed')::int, 0),
                              'last_pass', hour.uptime -> 'last_pass',
                              'last_fail', hour.uptime -> 'last_fail') as uptime,
           coalesce(hour.latency, '{}'::jsonb) || '{"rolling1h": 0}'::jsonb as latency
      from check_summary s
      left join lateral (select s.uptime, s.latency
        where greatest((s.uptime ->> 'last_pass')::timestamptz, (s.uptime ->> 'last_fail')::timestamptz)
          > now() - interval '1 hour') hour on true
     where ${ASKED} order by s.id`;
  return (await db.text(asJson(rows), asked(filter))) ?? '[]';
}

/** How many of the live checks that were asked for are in each state, as JSON. */
export async function countStates(db: Queryable, filter: SummaryFilter): Promise<string> {
  const counts = `select json_build_object(
      'healthy', count(*) filter (where state = 'healthy'),
      'unhealthy', count(*) filter (where state = 'unhealthy'),
      'unknown', count(*) filter (where state not in ('healthy', 'unhealthy')))::text
    from (select ${STATE} as state from check_summary s where s.deleted_at is null and ${ASKED}) counted`;
  return (await db.text(counts, asked(filter))) ?? '{}';
}

const RAW_STATISTICS = `
    select check_id,
           percentile_disc(0.99) within group (order by duration) as p99,
           percentile_disc(0.95) within group (order by duration) as p95,
           percentile_disc(0.5) within group (order by duration) as p50,
           round(avg(duration)) as mean,
           count(*) filter (where status) as passed,
           count(*) filter (where not status) as failed,
           max(time) filter (where status) as last_pass,
           max(time) filter (where not status) as last_fail
      from check_statuses
     where time > $4::timestamptz and time <= $5::timestamptz and ($3::uuid is null or check_id = $3::uuid)
     group by check_id`;

/**
 * Hours that are summed up already, and the runs after them: percentiles are then over hourly means. The
 * bounds, $6, lies on a full hour that the hourly job has been through.
 */
const AGED_STATISTICS = `
    select check_id,
           percentile_disc(0.99) within group (order by mean) as p99,
           percentile_disc(0.95) within group (order by mean) as p95,
           percentile_disc(0.5) within group (order by mean) as p50,
           round(avg(mean)) as mean,
           sum(passed) as passed, sum(failed) as failed,
           null::timestamptz as last_pass, null::timestamptz as last_fail
      from (
        select check_id, passed, failed, (duration / greatest(total, 1)) as mean
          from check_statuses_1h
         where created_at >= date_trunc('hour', $4::timestamptz) and created_at < $6::timestamptz
           and created_at <= $5::timestamptz and ($3::uuid is null or check_id = $3::uuid)
        union all
        select check_id, count(*) filter (where status), count(*) filter (where not status),
               coalesce(round(avg(duration)), 0)::bigint
          from check_statuses
         where time >= $6::timestamptz and time > $4::timestamptz and time <= $5::timestamptz
           and ($3::uuid is null or check_id = $3::uuid)
         group by check_id, date_trunc('hour', time)
      ) hours
     group by check_id`;

export interface SummaryWindow {
  from: Date;
  until: Date;
  /** Hours before this one come from the hourly sums; null = everything from the runs themselves. */
  agedUntil: Date | null;
}

/** The summary over another window than the last hour. */
export async function readSummaryOver(
  db: Queryable,
  filter: SummaryFilter,
  window: SummaryWindow,
): Promise<string> {
  const rows = `
    with stats as (${window.agedUntil === null ? RAW_STATISTICS : AGED_STATISTICS})
    select ${ROW},
           jsonb_build_object('passed', coalesce(stats.passed, 0), 'failed', coalesce(stats.failed, 0),
                              'last_pass', stats.last_pass, 'last_fail', stats.last_fail) as uptime,
           jsonb_build_object('p99', stats.p99, 'p95', stats.p95, 'p50', stats.p50, 'avg', stats.mean,
                              'rolling1h', 0) as latency
      from check_summary s left join stats on stats.check_id = s.id
     where ${ASKED} order by s.id`;
  const bounds = [window.from, window.until];
  const params = window.agedUntil === null ? bounds : [...bounds, window.agedUntil];
  return (await db.text(asJson(rows), [...asked(filter), ...params])) ?? '[]';
}
