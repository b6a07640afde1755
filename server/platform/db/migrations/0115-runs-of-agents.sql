-- Which agent a run is counted for (schema §1.4, `agent_id`): the one that it was asked for, else the first one that did an
-- action of it. Runs from before are told by their actions.
create index if not exists playbook_runs_agent_id_idx on playbook_runs (agent_id, created_at);

create or replace view playbook_runs_timed as
  select id, playbook_id, status, created_at, start_time, scheduled_time, end_time, error, created_by,
    config_id, component_id, check_id,
    case when end_time is not null or status not in ('completed', 'failed', 'cancelled')
      then extract(epoch from coalesce(end_time, now()) - start_time) * 1000 end as duration_ms,
    agent_id
  from playbook_runs;

-- Last: its triggers are pending until the end, and nothing else may change the table then.
update playbook_runs set agent_id = first.agent_id
  from (
    select distinct on (action.playbook_run_id) action.playbook_run_id as run_id, action.agent_id
      from playbook_run_actions as action join agents on agents.id = action.agent_id
     where action.playbook_run_id is not null and action.agent_id <> '00000000-0000-0000-0000-000000000000'
     order by action.playbook_run_id, action.scheduled_time, action.id
  ) as first
 where playbook_runs.id = first.run_id
   and coalesce(playbook_runs.agent_id, '00000000-0000-0000-0000-000000000000') = '00000000-0000-0000-0000-000000000000';
