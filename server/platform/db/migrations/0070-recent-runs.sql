-- The newest 30 runs of a check beside its figures, short enough to go to every device with them: when the newest began
-- (seconds since 1970), then each run from the newest to the oldest, p for passed or f for failed, and how many seconds
-- the run after it came later. `1764000000p0p30f30`: passed at 1764000000, passed 30 s before, failed 30 s before that.

alter table check_status_summary add column recent_runs text
  check (recent_runs ~ '^[0-9]+([pf][0-9]+){1,30}$');
comment on column check_status_summary.recent_runs is 'the newest 30 runs, newest first, with seconds between them';

create function recent_runs_of(wanted uuid) returns text language sql stable as $$
  select max(second)::text || string_agg(word || coalesce(later - second, 0)::text, '' order by time desc)
  from (
    select time, word, second, lag(second) over (order by time desc) as later
    from (
      select time, case when status then 'p' else 'f' end as word, floor(extract(epoch from time))::bigint as second
      from check_statuses where check_id = wanted and status is not null order by time desc limit 30
    ) as newest
  ) as runs
$$;

-- Whoever writes a summary: the runner, an import, the sums of what an agent pushed.
create function keep_recent_runs() returns trigger language plpgsql as $$
begin
  new.recent_runs := recent_runs_of(new.check_id);
  return new;
end $$;
create trigger keep_recent_runs before insert on check_status_summary
  for each row when (new.recent_runs is null) execute function keep_recent_runs();
create trigger renew_recent_runs before update of computed_at on check_status_summary
  for each row when (new.recent_runs is not distinct from old.recent_runs) execute function keep_recent_runs();

update check_status_summary set recent_runs = recent_runs_of(check_id);

do $$
declare
  before text;
  changed text;
begin
  before := pg_get_viewdef('check_summary'::regclass);
  changed := regexp_replace(before, E'\n   FROM ', E',\n    stats.recent_runs\n   FROM ');
  if before = changed then raise exception 'the view check_summary has no columns to add to'; end if;
  execute 'create or replace view check_summary as ' || changed;

  before := pg_get_viewdef('feed_checks'::regclass);
  changed := regexp_replace(before, E'\n   FROM ', E',\n    check_summary.recent_runs\n   FROM ');
  if before = changed then raise exception 'the view feed_checks has no columns to add to'; end if;
  execute 'create or replace view feed_checks as ' || changed;
end $$;
