/**
 * SQL of one check's graph: the same buckets and percentiles as domain/check/graph.ts, computed where the runs
 * are, because a month of runs is far more than its 300 points. Before the oldest stored run the hourly sums
 * take over, before the oldest of those the daily ones.
 */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

export interface GraphWindow {
  checkId: string;
  from: Date;
  until: Date;
}

/** The moments at which runs give way to hourly, and hourly to daily sums; null = there are none. */
const seams = z.strictObject({
  runs_from: z.string().nullable(),
  hours_from: z.string().nullable(),
});
export type Seams = z.infer<typeof seams>;

/** Of one check; both are null when it never ran. */
export async function readSeams(db: Queryable, checkId: string): Promise<Seams> {
  const rows = await db.rows(
    seams,
    `select (select date_trunc('hour', min(time)) from check_statuses where check_id = $1::uuid) as runs_from,
            (select min(created_at) from check_statuses_1h where check_id = $1::uuid) as hours_from`,
    [checkId],
  );
  return rows[0] ?? { runs_from: null, hours_from: null };
}

const bucketRow = z.strictObject({
  /** Centre of the bucket, ms since 1970. */
  at: z.number(),
  duration: z.number(),
  passed: z.number(),
  failed: z.number(),
});
export type BucketRow = z.infer<typeof bucketRow>;

/** $1 check, $2 from, $3 until, $4 where runs begin, $5 where hourly sums begin. */
const SOURCES = `
  select time as at, coalesce(duration, 0)::bigint as duration,
         (status is true)::int as passed, (status is not true)::int as failed
    from check_statuses
   where check_id = $1::uuid and time >= $2::timestamptz and time < $3::timestamptz + interval '1 millisecond'
  union all
  select created_at + interval '30 minutes', duration, passed, failed
    from check_statuses_1h
   where check_id = $1::uuid and created_at + interval '30 minutes' >= $2::timestamptz
     and created_at <= $3::timestamptz
     and created_at >= $5::timestamptz and created_at < $4::timestamptz
  union all
  select created_at + interval '12 hours', duration, passed, failed
    from check_statuses_1d
   where check_id = $1::uuid and created_at + interval '12 hours' >= $2::timestamptz
     and created_at <= $3::timestamptz
     and created_at < date_trunc('day', $5::timestamptz)`;

/** Points of the graph, oldest first; `widthMs` is the width of a bucket. */
export function readBuckets(
  db: Queryable,
  window: GraphWindow,
  shape: { runsFrom: Date; hoursFrom: Date; widthMs: number },
): Promise<BucketRow[]> {
  return db.rows(
    bucketRow,
    `select (floor((floor(extract(epoch from at) * 1000) + $6::bigint / 2.0) / $6::bigint) * $6::bigint)::bigint as at,
            trunc(sum(duration) / greatest(sum(passed + failed), 1))::bigint as duration,
            sum(passed)::bigint as passed, sum(failed)::bigint as failed
       from (${SOURCES}) runs
      group by 1 order by 1`,
    [window.checkId, window.from, window.until, shape.runsFrom, shape.hoursFrom, shape.widthMs],
  );
}

/** Percentiles over ascending values `v`, interpolated at n·p/100 − 0.5 (domain/check/percentile.ts). */
function percentilesOf(values: string): string {
  return `
    with d as (
      select v::numeric as v, row_number() over (order by v) - 1 as i, count(*) over () as n from (${values}) vs
    ), q as (
      select p, n, least(greatest(n * p / 100.0 - 0.5, 0), n - 1) as pos
        from (values (99), (97), (95), (50)) as wanted (p), (select max(n) as n from d) counted
    )
    select q.p, round(lo.v + (hi.v - lo.v) * (q.pos - floor(q.pos)))::bigint as value
      from q
      join d lo on lo.i = floor(q.pos)
      join d hi on hi.i = least(floor(q.pos) + 1, q.n - 1)`;
}

const percentileRow = z.strictObject({
  p: z.number(),
  value: z.number(),
});
export type PercentileRow = z.infer<typeof percentileRow>;

/** Over the runs of the window themselves. */
export function readPercentiles(db: Queryable, window: GraphWindow): Promise<PercentileRow[]> {
  return db.rows(
    percentileRow,
    percentilesOf(`select coalesce(duration, 0) as v from check_statuses
       where check_id = $1::uuid and time >= $2::timestamptz
         and time < $3::timestamptz + interval '1 millisecond'`),
    [window.checkId, window.from, window.until],
  );
}

/** Over hourly and daily means, for windows of which no run is kept any more. */
export function readAgedPercentiles(
  db: Queryable,
  window: GraphWindow,
  hoursFrom: Date,
): Promise<PercentileRow[]> {
  return db.rows(
    percentileRow,
    percentilesOf(`select duration / greatest(total, 1) as v from check_statuses_1h
       where check_id = $1::uuid and created_at >= $2::timestamptz and created_at <= $3::timestamptz
      union all
      select duration / greatest(total, 1) from check_statuses_1d
       where check_id = $1::uuid and created_at >= $2::timestamptz and created_at <= $3::timestamptz
         and created_at < date_trunc('day', $4::timestamptz)`),
    [window.checkId, window.from, window.until, hoursFrom],
  );
}
