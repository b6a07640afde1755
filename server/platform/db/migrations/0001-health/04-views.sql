-- The views that health reads. Column names and meanings are the wire contract's.

create view people_roles as
  select people.id, people.name, people.email, array_agg(rule.v1::text order by rule.v1) as roles
  from people join casbin_rule as rule on rule.ptype = 'g' and rule.v0 = people.id::text
  where people.deleted_at is null
  group by people.id;

-- What a check looks at, in one line.
create function check_endpoint(spec jsonb) returns text language sql immutable as $$
  select coalesce(
    nullif(spec ->> 'url', ''),
    nullif(spec ->> 'endpoint', ''),
    nullif(spec ->> 'addr', ''),
    nullif(concat_ws(' ', nullif(spec ->> 'server', ''), nullif(spec ->> 'query', '')), ''),
    nullif(spec ->> 'path', ''),
    nullif(split_part(ltrim(spec ->> 'script', E' \n'), E'\n', 1), '')
  )
$$;

create view check_names as
  select id, canary_id, type, name, status from checks
  where deleted_at is null and silenced_at is null
  order by name;

create view check_labels as
  select distinct label.key, label.value
  from checks, jsonb_each_text(checks.labels) as label
  where jsonb_typeof(checks.labels) = 'object';

create view check_summary as
  select
  checks.id, checks.canary_id,
  jsonb_build_object('passed', stats.passed, 'failed', stats.failed,
    'last_pass', stats.last_pass, 'last_fail', stats.last_fail) as uptime,
  jsonb_build_object('p99', stats.p99, 'p95', stats.p95, 'p50', stats.p50, 'avg', stats.mean) as latency,
  checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description,
  checks.namespace, canaries.namespace as canary_namespace, canaries.name as canary_name,
  coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
  checks.severity, checks.owner, checks.last_runtime, checks.next_runtime,
  checks.created_at, checks.updated_at, checks.deleted_at, checks.silenced_at,
  checks.agent_id, agents.name as agent_name,
  check_endpoint(checks.spec) as endpoint
  from checks
  join canaries on canaries.id = checks.canary_id
  left join agents on agents.id = checks.agent_id
  left join check_status_summary as stats on stats.check_id = checks.id;

create view check_summary_for_config as
  select links.config_id,
  checks.id, checks.canary_id,
  jsonb_build_object('passed', stats.passed, 'failed', stats.failed,
    'last_pass', stats.last_pass, 'last_fail', stats.last_fail) as uptime,
  jsonb_build_object('p99', stats.p99, 'p95', stats.p95, 'p50', stats.p50, 'avg', stats.mean) as latency,
  checks.last_transition_time, checks.type, checks.icon, checks.name, checks.status, checks.description,
  checks.namespace, canaries.namespace as canary_namespace, canaries.name as canary_name,
  coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
  checks.severity, checks.owner, checks.last_runtime, checks.next_runtime,
  checks.created_at, checks.updated_at, checks.deleted_at, checks.silenced_at,
  checks.agent_id, agents.name as agent_name,
  check_endpoint(checks.spec) as endpoint
  from check_config_relationships as links
  join checks on checks.id = links.check_id
  join canaries on canaries.id = checks.canary_id
  left join agents on agents.id = checks.agent_id
  left join check_status_summary as stats on stats.check_id = checks.id
  where links.deleted_at is null and checks.deleted_at is null;

create function check_summary_for_component(id uuid) returns setof check_summary language sql stable as $$
  select summary.* from check_summary as summary
  where summary.id in (
    select links.check_id from check_component_relationships as links
    where links.component_id = check_summary_for_component.id and links.deleted_at is null
  )
$$;

create view checks_by_component as
  select links.component_id, checks.id, checks.type, checks.name, checks.severity, checks.status
  from check_component_relationships as links join checks on checks.id = links.check_id
  where links.deleted_at is null and checks.deleted_at is null;

create view checks_by_config as
  select links.config_id, checks.id, checks.type, checks.name, checks.severity, checks.status, checks.icon,
    checks.last_runtime
  from check_config_relationships as links join checks on checks.id = links.check_id
  where links.deleted_at is null and checks.deleted_at is null;

create view check_summary_by_component as
  select component_id, jsonb_object_agg(status, count) as checks
  from (
    select component_id, coalesce(status, 'unknown') as status, count(*) as count
    from checks_by_component group by 1, 2
  ) as counted
  group by component_id;

create view check_summary_by_config as
  select config_id, jsonb_object_agg(status, count) as checks
  from (
    select config_id, coalesce(status, 'unknown') as status, count(*) as count
    from checks_by_config group by 1, 2
  ) as counted
  group by config_id;

create view canaries_with_status as
  select canaries.id, canaries.name, canaries.namespace,
    canaries.spec ->> 'interval' as interval, canaries.spec ->> 'schedule' as schedule,
    canaries.labels, canaries.source, canaries.created_by, canaries.created_at, canaries.deleted_at,
    (select max(checks.last_runtime) from checks where checks.canary_id = canaries.id) as last_runtime,
    job.name as job_name, job.success_count as job_success_count, job.error_count as job_error_count,
    job.details as job_details, job.hostname as job_hostname, job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type, job.status as job_status, job.time_start as job_time_start,
    job.time_end as job_time_end, job.created_at as job_created_at,
    (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = canaries.id::text and failed.resource_type = 'canary' and failed.status = 'FAILED'
    ) as job_last_failed,
    jsonb_build_object('id', agents.id, 'name', agents.name) as agent,
    canaries.agent_id,
    greatest(canaries.updated_at, job.created_at, job.time_end) as updated_at,
    case when job.status = 'FAILED'
      then coalesce(job.details -> 'errors' -> 0 ->> 'message', job.details -> 'errors' ->> 0)
    end as error
  from canaries
  left join agents on agents.id = canaries.agent_id
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = canaries.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  where canaries.deleted_at is null;

-- changes and analysis stay empty until the tables of changes and findings exist.
create view configs as
  select id, scraper_id, config_class, external_id, type, name, tags ->> 'namespace' as namespace, description,
    source, labels, tags, created_by, created_at, updated_at, deleted_at, cost_per_minute, cost_total_1d,
    cost_total_7d, cost_total_30d, agent_id, status, health, ready, path,
    null::bigint as changes, null::jsonb as analysis
  from config_items;

create view config_names as
  select id, type, external_id, name from config_items where deleted_at is null order by name;

create view component_names as
  select id, path, external_id, type, name, created_at, updated_at, icon, parent_id
  from components
  where deleted_at is null and not hidden
  order by name, external_id;
