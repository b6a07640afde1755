/**
 * Why a check is not run by this server. A check with a reason has no status: it is unknown, neither healthy nor
 * unhealthy. The views of checks show the reason; whatever else they show by now stays as it is.
 */

const VIEWS = ['check_summary', 'check_summary_for_config', 'feed_checks'] as const;

/** The view as it is, with one more column at its end. */
const withReason = (view: (typeof VIEWS)[number]) => {
  const source = view === 'feed_checks' ? 'check_summary' : 'checks';
  return `
  before := pg_get_viewdef('${view}'::regclass);
  changed := regexp_replace(before, E'\\n   FROM ', E',\\n    ${source}.not_run_reason\\n   FROM ');
  if before = changed then raise exception 'the view ${view} has no columns to add to'; end if;
  execute 'create or replace view ${view} as ' || changed;`;
};

export const up = `
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
begin ${VIEWS.map(withReason).join('\n')}
end $$;
`;
