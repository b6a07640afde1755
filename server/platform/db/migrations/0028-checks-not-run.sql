-- Why a check is not run by this server. A check with a reason has no status: it is unknown, neither healthy nor
-- unhealthy. The views of checks show the reason; whatever else they show by now stays as it is.

alter table checks add column not_run_reason text;
comment on column checks.not_run_reason is 'why this server does not run the check; its status is then unknown';

-- Whoever writes a status, one that nobody found out is none.
create function forget_status_of_not_run() returns trigger language plpgsql as $$
begin
  new.status := null;
  return new;
end $$;
create trigger forget_status_of_not_run before insert or update on checks
  for each row when (new.not_run_reason is not null and new.status is not null) execute function forget_status_of_not_run();

do $$
declare
  before text;
  changed text;
begin
  before := pg_get_viewdef('check_summary'::regclass);
  changed := regexp_replace(before, E'\n   FROM ', E',\n    checks.not_run_reason\n   FROM ');
  if before = changed then raise exception 'the view check_summary has no columns to add to'; end if;
  execute 'create or replace view check_summary as ' || changed;

  before := pg_get_viewdef('check_summary_for_config'::regclass);
  changed := regexp_replace(before, E'\n   FROM ', E',\n    checks.not_run_reason\n   FROM ');
  if before = changed then raise exception 'the view check_summary_for_config has no columns to add to'; end if;
  execute 'create or replace view check_summary_for_config as ' || changed;

  before := pg_get_viewdef('feed_checks'::regclass);
  changed := regexp_replace(before, E'\n   FROM ', E',\n    check_summary.not_run_reason\n   FROM ');
  if before = changed then raise exception 'the view feed_checks has no columns to add to'; end if;
  execute 'create or replace view feed_checks as ' || changed;
end $$;
