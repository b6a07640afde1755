-- Runs with how long they took, to be ordered by that: a page of the list is not all of it. Those under way count as far
-- as they have come; one that is over and never ended, or never began, took nobody knows how long.
create view playbook_runs_timed as
  select id, playbook_id, status, created_at, start_time, scheduled_time, end_time, error, created_by,
    config_id, component_id, check_id,
    case when end_time is not null or status not in ('completed', 'failed', 'cancelled')
      then extract(epoch from coalesce(end_time, now()) - start_time) * 1000 end as duration_ms
  from playbook_runs;
