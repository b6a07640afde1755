-- Views of jobs, events, notifications, playbooks, connections and whoever is involved (schema §1.6).

create view config_scrapers_with_status as
  select config_scrapers.*, job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = config_scrapers.id::text and failed.resource_type = 'config_scraper' and failed.status = 'FAILED'
    ) as job_last_failed, case when agents.id is not null
      then jsonb_build_object('id', agents.id, 'name', agents.name) end as agent
  from config_scrapers
  left join agents on agents.id = config_scrapers.agent_id
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = config_scrapers.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  where config_scrapers.deleted_at is null;

create view teams_with_status as
  select teams.*, job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = teams.id::text and failed.resource_type = 'team' and failed.status = 'FAILED'
    ) as job_last_failed
  from teams
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = teams.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  where teams.deleted_at is null;

create view integrations_with_status as

  select own.id, own.name, own.description as description, 'scrapers' as integration_type, own.source as source,
    own.agent_id, own.created_at, own.updated_at, own.deleted_at, own.created_by,
    job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = own.id::text and failed.resource_type = 'config_scraper' and failed.status = 'FAILED'
    ) as job_last_failed,
    case when agents.id is not null
      then jsonb_build_object('id', agents.id, 'name', agents.name) end as agent,
    people.name as creator_name, people.avatar as creator_avatar, people.title as creator_title,
    people.email as creator_email
  from config_scrapers as own
  left join people on people.id = own.created_by
  left join agents on agents.id = own.agent_id
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = own.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  union all
  select own.id, own.name, ''::text as description, 'topologies' as integration_type, own.source as source,
    own.agent_id, own.created_at, own.updated_at, own.deleted_at, own.created_by,
    job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = own.id::text and failed.resource_type = 'topology' and failed.status = 'FAILED'
    ) as job_last_failed,
    case when agents.id is not null
      then jsonb_build_object('id', agents.id, 'name', agents.name) end as agent,
    people.name as creator_name, people.avatar as creator_avatar, people.title as creator_title,
    people.email as creator_email
  from topologies as own
  left join people on people.id = own.created_by
  left join agents on agents.id = own.agent_id
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = own.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  union all
  select own.id, own.name, ''::text as description, 'logging_backends' as integration_type, own.source as source,
    own.agent_id, own.created_at, own.updated_at, own.deleted_at, own.created_by,
    job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = own.id::text and failed.resource_type = 'logging_backends' and failed.status = 'FAILED'
    ) as job_last_failed,
    null::jsonb as agent,
    people.name as creator_name, people.avatar as creator_avatar, people.title as creator_title,
    people.email as creator_email
  from logging_backends as own
  left join people on people.id = own.created_by

  left join job_history as job on false;

create view agents_summary as
  select agents.*,
    (select nullif(count(*), 0) from config_items where config_items.agent_id = agents.id) as config_count,
    (select nullif(count(*), 0) from config_scrapers where config_scrapers.agent_id = agents.id) as config_scrapper_count,
    (select nullif(count(*), 0) from checks where checks.agent_id = agents.id) as checks_count,
    (select nullif(count(*), 0) from playbook_runs where playbook_runs.agent_id = agents.id) as playbook_runs_count
  from agents
  where agents.deleted_at is null;

-- A reference tells where a secret is kept, not what it is.
create function mask_sensitive(secret text) returns text language sql immutable as $$
  select case when secret is null or secret = '' or secret ~ '^(secret|configmap|helm|serviceaccount)://'
    then secret else '***' end
$$;

create view connections_list as
  select id, name, namespace, type,
    case when lower(split_part(url, '://', 1)) = any('{bark,discord,smtp,gotify,googlechat,ifttt,join,mattermost,matrix,ntfy,opsgenie,
    pushbullet,pushover,rocketchat,slack,teams,telegram,zulip}'::text[]) and position('://' in url) > 0
      then 'notification' else '' end as category,
    created_by, created_at, updated_at
  from connections where deleted_at is null;

create view connection_details as
  select id, name, namespace, type, source, properties, insecure_tls, mask_sensitive(username) as username,
    mask_sensitive(password) as password, mask_sensitive(certificate) as certificate,
    created_by, created_at, updated_at
  from connections where deleted_at is null;

create view event_queue_summary as
  select name, count(*) as pending, count(*) filter (where error is not null) as failed,
    round(avg(attempts), 2) as average_attempts,
    min(created_at) filter (where error is not null) as first_failure, max(last_attempt) as last_failure,
    mode() within group (order by error) as most_common_error
  from event_queue group by name;

create view failed_events as
  select name, count(distinct error) as unique_errors, round(avg(attempts), 2) as average_attempts,
    count(*) as total_failed_events, mode() within group (order by error) as most_common_error
  from event_queue
  where error is not null and attempts > 0 and created_at >= now() - interval '7 days'
  group by name;

create view push_queue_summary as
  select 'artifacts' as "table", count(*) as count from artifacts where not is_pushed
  union all
  select 'canaries' as "table", count(*) as count from canaries where not is_pushed
  union all
  select 'check_component_relationships' as "table", count(*) as count from check_component_relationships where not is_pushed
  union all
  select 'check_config_relationships' as "table", count(*) as count from check_config_relationships where not is_pushed
  union all
  select 'check_statuses' as "table", count(*) as count from check_statuses where not is_pushed
  union all
  select 'checks' as "table", count(*) as count from checks where not is_pushed
  union all
  select 'component_relationships' as "table", count(*) as count from component_relationships where not is_pushed
  union all
  select 'components' as "table", count(*) as count from components where not is_pushed
  union all
  select 'config_analysis' as "table", count(*) as count from config_analysis where not is_pushed
  union all
  select 'config_changes' as "table", count(*) as count from config_changes where not is_pushed
  union all
  select 'config_component_relationships' as "table", count(*) as count from config_component_relationships where not is_pushed
  union all
  select 'config_items' as "table", count(*) as count from config_items where not is_pushed
  union all
  select 'config_relationships' as "table", count(*) as count from config_relationships where not is_pushed
  union all
  select 'config_scrapers' as "table", count(*) as count from config_scrapers where not is_pushed
  union all
  select 'job_history' as "table", count(*) as count from job_history where not is_pushed
  union all
  select 'playbook_run_actions' as "table", count(*) as count from playbook_run_actions where not is_pushed
  union all
  select 'topologies' as "table", count(*) as count from topologies where not is_pushed;

create view job_history_latest_status as
  select distinct on (resource_id) job_history.* from job_history where resource_id is not null
  order by resource_id, created_at desc, id desc;

create view job_history_names as
  select distinct name from job_history where name is not null order by name;

create index event_queue_notification_idx on event_queue ((properties ->> 'notification_id'))
  where name = 'notification.send';

create view notifications_summary as
  select notifications.id, notifications.name, coalesce(notifications.namespace, '') as namespace, notifications.error,
    notifications.title, notifications.events, notifications.filter, notifications.person_id, notifications.team_id,
    notifications.custom_services, notifications.created_at, notifications.updated_at, notifications.created_by,
    notifications.source, notifications.repeat_interval, notifications.wait_for,
    (
      select count(*) from event_queue as event
      where event.name = 'notification.send' and event.properties ->> 'notification_id' = notifications.id::text
        and event.attempts < 4
    ) as pending,
    sends.failed, sends.sent, sends.avg_duration_ms, sends.most_common_error
  from notifications
  cross join lateral (
    select count(*) filter (where history.error is not null) as failed,
      count(*) filter (where history.status = 'sent') as sent,
      round(avg(history.duration_millis), 2) as avg_duration_ms,
      mode() within group (order by history.error) as most_common_error
    from notification_send_history as history where history.notification_id = notifications.id
  ) as sends
  where notifications.deleted_at is null;

create view notification_send_history_summary as
  select history.*, split_part(history.source_event, '.', 1) as resource_type,
    case split_part(history.source_event, '.', 1)
      when 'config' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'type', own.type, 'config_class', own.config_class)
        from config_items as own where own.id = history.resource_id)
      when 'component' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'icon', own.icon)
        from components as own where own.id = history.resource_id)
      when 'check' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'type', own.type, 'status', own.status,
          'icon', own.icon)
        from checks as own where own.id = history.resource_id)
      else (
        select jsonb_build_object('id', own.id, 'name', own.name)
        from canaries as own where own.id = history.resource_id)
    end as resource
  from notification_send_history as history
  where split_part(history.source_event, '.', 1) in ('config', 'component', 'check', 'canary');

create view playbook_names as
  select id, title, name, spec ->> 'description' as description, spec ->> 'category' as category, spec ->> 'icon' as icon
  from playbooks where deleted_at is null order by name;

-- Those that an agent may run parts of, by the names in runsOn.
create view playbooks_for_agent as
  select agents.name as agent_name, agents.person_id, agents.id as agent_id,
    jsonb_agg(distinct playbooks.id) as playbook_ids
  from playbooks
  join agents on agents.deleted_at is null and playbooks.spec -> 'runsOn' ? agents.name
  where playbooks.deleted_at is null and jsonb_typeof(playbooks.spec -> 'runsOn') = 'array'
  group by agents.id;

-- Functions that take something away, whole. None is exposed to the data API.

create function delete_person(person uuid) returns void language plpgsql as $$
begin
  delete from identities where id = person;
  delete from casbin_rule where ptype = 'g' and v0 = person::text;
  update people set deleted_at = now() where id = person and deleted_at is null;
  perform expire_access_tokens(person);
end $$;

create function delete_agent_resources(agent uuid, at timestamptz) returns void language plpgsql as $$
begin
  update topologies set deleted_at = at where agent_id = agent and deleted_at is null;
  update components set deleted_at = at where agent_id = agent and deleted_at is null;
  update canaries set deleted_at = at where agent_id = agent and deleted_at is null;
  update checks set deleted_at = at where agent_id = agent and deleted_at is null;
  update config_scrapers set deleted_at = at where agent_id = agent and deleted_at is null;
  update config_items set deleted_at = at where agent_id = agent and deleted_at is null;
  update logging_backends set deleted_at = at where agent_id = agent and deleted_at is null;
end $$;
drop trigger delete_backends_with_agent on agents;
drop function delete_backends_with_agent();
create or replace function delete_with_agent() returns trigger language plpgsql as $$
begin
  perform delete_agent_resources(new.id, new.deleted_at);
  return null;
end $$;

-- What an incident, a run or a component still points at stays; its children lose their parent only when it goes.
create function delete_old_config_items(days integer) returns integer language plpgsql as $$
declare
  doomed uuid[];
begin
  doomed := array(
    select item.id from config_items as item
    where item.deleted_at < now() - make_interval(days => days)
      and not exists (select from evidences as evidence where evidence.config_id = item.id)
      and not exists (
        select from evidences as evidence join config_changes as change on change.id = evidence.config_change_id
        where change.config_id = item.id)
      and not exists (
        select from evidences as evidence join config_analysis as finding on finding.id = evidence.config_analysis_id
        where finding.config_id = item.id)
      and not exists (select from playbook_runs as run where run.config_id = item.id)
      and not exists (select from components as component where component.config_id = item.id)
  );
  delete from permissions where config_id = any(doomed);
  update config_items set parent_id = null where parent_id = any(doomed) and id <> all(doomed);
  delete from config_items where id = any(doomed);
  return cardinality(doomed);
end $$;

create function drop_config_items(ids text[]) returns integer language plpgsql as $$
declare
  doomed uuid[];
begin
  doomed := array(
    select item.id from config_items as item
    where item.id::text = any(ids) or string_to_array(item.path, '.') && ids
  );
  delete from evidences where config_id = any(doomed)
    or config_change_id in (select change.id from config_changes as change where change.config_id = any(doomed))
    or config_analysis_id in (select finding.id from config_analysis as finding where finding.config_id = any(doomed));
  delete from artifacts where playbook_run_action_id in (
    select action.id from playbook_run_actions as action
    join playbook_runs as run on run.id = action.playbook_run_id where run.config_id = any(doomed));
  delete from playbook_approvals where run_id in (select run.id from playbook_runs as run where run.config_id = any(doomed));
  delete from playbook_runs where config_id = any(doomed);
  delete from permissions where config_id = any(doomed);
  update components set config_id = null where config_id = any(doomed);
  update config_items set parent_id = null where parent_id = any(doomed) and id <> all(doomed);
  delete from config_items where id = any(doomed);
  return cardinality(doomed);
end $$;

-- The same silence again within the window is counted, not told twice.
create function insert_unsent_notification_to_history(notification_id uuid, source_event text, resource_id uuid,
    status text, "window" interval) returns void language plpgsql as $$
declare
  known uuid;
begin
  if status is null or status not in ('silenced', 'repeat-interval') then
    raise exception 'status must be silenced or repeat-interval, not %', status
      using errcode = 'invalid_parameter_value';
  end if;
  select history.id into known from notification_send_history as history
    where history.notification_id = insert_unsent_notification_to_history.notification_id
      and history.source_event = insert_unsent_notification_to_history.source_event
      and history.resource_id = insert_unsent_notification_to_history.resource_id
      and history.status = insert_unsent_notification_to_history.status
      and history.created_at > now() - insert_unsent_notification_to_history."window"
    order by history.created_at desc limit 1;
  if known is null then
    insert into notification_send_history (notification_id, source_event, resource_id, status) values (
      insert_unsent_notification_to_history.notification_id, insert_unsent_notification_to_history.source_event,
      insert_unsent_notification_to_history.resource_id, insert_unsent_notification_to_history.status);
  else
    update notification_send_history as history set count = history.count + 1, created_at = now()
      where history.id = known;
  end if;
end $$;
