-- Views of what checks found (schema §1.6). The kept summary itself is check_status_summary of the first migration.

create view check_status_summary_hour as
  select check_id, percentiles[1] as p99, percentiles[2] as p95, percentiles[3] as p50, mean, passed, failed,
    last_check, last_pass, last_fail
  from (
    select check_id,
      percentile_disc(array[0.99, 0.95, 0.5]) within group (order by duration) as percentiles,
      avg(duration)::double precision as mean,
      count(*) filter (where status) as passed, count(*) filter (where not status) as failed,
      max(time) as last_check,
      max(time) filter (where status) as last_pass, max(time) filter (where not status) as last_fail
    from check_statuses
    where time > now() - interval '1 hour'
    group by check_id
  ) as summed;

create view check_status_summary_aged as
  select checks.id as check_id, newest.duration as p99, newest.duration as p95, newest.duration as p50,
    newest.duration::double precision as mean,
    (newest.status is true)::int as passed, (newest.status is not true)::int as failed,
    newest.time as last_check,
    case when newest.status then newest.time end as last_pass,
    case when newest.status is not true then newest.time end as last_fail
  from checks
  cross join lateral (
    select duration, status, time from check_statuses as own
    where own.check_id = checks.id order by own.time desc limit 1
  ) as newest
  where checks.deleted_at is null and newest.time <= now() - interval '1 hour';

create view check_statuses_5m as
  select check_id, date_bin('5 minutes', time, 'epoch') as created_at, count(*) as total_checks,
    count(*) filter (where status) as passed, count(*) filter (where not status) as failed,
    sum(duration) as total_duration
  from check_statuses
  where time > now() - interval '1 day'
  group by 1, 2;

create view check_size_summary as
  select checks.canary_id, checks.id, sizes.min_time, sizes.max_time, sizes.count, sizes.size,
    sizes.size / sizes.count as avg_size
  from (
    select check_id, min(time) as min_time, max(time) as max_time, count(*) as count,
      sum(pg_column_size(check_statuses.*)) as size
    from check_statuses group by check_id
  ) as sizes
  join checks on checks.id = sizes.check_id;

create view checks_status_artifacts as
  select check_statuses.check_id, check_statuses.status as check_status, check_statuses.message as check_message,
    check_statuses.error, check_statuses.invalid, check_statuses.time, check_statuses.duration, files.artifacts
  from (
    select check_id, check_time,
      jsonb_agg(jsonb_build_object('name', filename, 'size', size, 'id', id) order by filename, id) as artifacts
    from artifacts where deleted_at is null and check_id is not null group by check_id, check_time
  ) as files
  join check_statuses on check_statuses.check_id = files.check_id and check_statuses.time = files.check_time;

-- What was stored without the runner (an import, a push from an agent) has no summary yet, or an old one. Answers how
-- many were computed.
create function refresh_check_status_summary() returns integer language plpgsql as $$
declare
  refreshed integer;
begin
  insert into check_status_summary as kept
    (check_id, p99, p95, p50, mean, passed, failed, last_check, last_pass, last_fail, computed_at)
  select due.check_id, own.percentiles[1], own.percentiles[2], own.percentiles[3], own.mean, own.passed, own.failed,
    own.last_check, own.last_pass, own.last_fail, now()
  from (
    select checks.id as check_id, newest.time
    from checks
    cross join lateral (
      select own.time from check_statuses as own where own.check_id = checks.id order by own.time desc limit 1
    ) as newest
    left join check_status_summary as known on known.check_id = checks.id
    where known.last_check is distinct from newest.time
  ) as due
  cross join lateral (
    select percentile_disc(array[0.99, 0.95, 0.5]) within group (order by coalesce(status.duration, 0)) as percentiles,
      avg(coalesce(status.duration, 0)) as mean,
      count(*) filter (where status.status) as passed, count(*) filter (where not status.status) as failed,
      max(status.time) as last_check,
      max(status.time) filter (where status.status) as last_pass,
      max(status.time) filter (where not status.status) as last_fail
    from check_statuses as status
    where status.check_id = due.check_id
      and status.time >= least(due.time, now() - interval '1 hour')
  ) as own
  on conflict (check_id) do update set
    p99 = excluded.p99, p95 = excluded.p95, p50 = excluded.p50, mean = excluded.mean, passed = excluded.passed,
    failed = excluded.failed, last_check = excluded.last_check, last_pass = excluded.last_pass,
    last_fail = excluded.last_fail, computed_at = excluded.computed_at;
  get diagnostics refreshed = row_count;
  return refreshed;
end $$;
