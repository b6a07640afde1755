-- Views of components and of what hangs on them: findings, changes, incidents (schema §1.6).

create view analysis_by_component as
  select config_analysis.config_id, config_items.name, config_items.config_class, config_items.type,
    config_analysis.analysis_type, config_analysis.first_observed, config_analysis.last_observed,
    config_analysis.created_by, config_analysis.id as analysis_id, config_analysis.severity, link.component_id
  from config_component_relationships as link
    join config_items on config_items.id = link.config_id and config_items.deleted_at is null
  join config_analysis on config_analysis.config_id = link.config_id and config_analysis.status = 'open'
  where link.deleted_at is null
  order by array_position('{critical,blocker,high,medium,low,info}', config_analysis.severity), config_items.name;

create view analysis_summary_by_component as
  select id, counts as analysis from (
  select id, jsonb_object_agg(first, by_second) as counts
  from (
    select id, first, jsonb_object_agg(second, count) as by_second
    from (
      select link.component_id as id, coalesce(finding.analysis_type, 'unknown') as first,
        coalesce(finding.severity, 'unknown') as second, count(*) as count
      from config_component_relationships as link
    join config_items on config_items.id = link.config_id and config_items.deleted_at is null
      join config_analysis as finding on finding.config_id = link.config_id
      where link.deleted_at is null
      group by 1, 2, 3) as counted
    group by id, first
  ) as grouped
  group by id) as summary;

create view analysis_by_config as
  select id, counts as analysis from (
  select id, jsonb_object_agg(first, by_second) as counts
  from (
    select id, first, jsonb_object_agg(second, count) as by_second
    from (
      select config_id as id, coalesce(analysis_type, 'unknown') as first, coalesce(severity, 'unknown') as second,
        count(*) as count
      from config_analysis where status is distinct from 'resolved'
      group by 1, 2, 3) as counted
    group by id, first
  ) as grouped
  group by id) as summary;

create view changes_by_component as
  select config_changes.id, config_changes.config_id, config_items.name, config_items.config_class, config_items.type,
    config_changes.change_type, config_changes.created_at, config_changes.created_by, config_changes.id as change_id,
    config_changes.severity, link.component_id, config_items.deleted_at as config_deleted_at
  from config_component_relationships as link
  join config_items on config_items.id = link.config_id
  join config_changes on config_changes.config_id = link.config_id
  where link.deleted_at is null
  order by config_changes.created_at desc;

create view incident_summary_by_component as
  select id, counts as incidents from (
  select id, jsonb_object_agg(first, by_second) as counts
  from (
    select id, first, jsonb_object_agg(second, count) as by_second
    from (
      select evidences.component_id as id, incidents.type as first, incidents.severity as second,
        count(distinct incidents.id) as count
      from incidents
  join hypotheses on hypotheses.incident_id = incidents.id
  join evidences on evidences.hypothesis_id = hypotheses.id
      where incidents.resolved is null and incidents.closed is null and evidences.component_id is not null
      group by 1, 2, 3) as counted
    group by id, first
  ) as grouped
  group by id) as summary;

create view incidents_by_component as
  select distinct incidents.title, incidents.id, incidents.created_at, incidents.type, incidents.status, incidents.severity, evidences.component_id
  from incidents
  join hypotheses on hypotheses.incident_id = incidents.id
  join evidences on evidences.hypothesis_id = hypotheses.id where evidences.component_id is not null;

create view incidents_by_config as
  select distinct incidents.title, incidents.id, incidents.created_at, incidents.type, incidents.status, incidents.severity, evidences.config_id
  from incidents
  join hypotheses on hypotheses.incident_id = incidents.id
  join evidences on evidences.hypothesis_id = hypotheses.id where evidences.config_id is not null;

create view topology as
  select components.*,
    (
      select jsonb_agg(jsonb_build_object('name', selector ->> 'name'))
      from jsonb_array_elements(case when jsonb_typeof(components.log_selectors) = 'array' then components.log_selectors end) as selector
    ) as logs,
    (select own.checks from check_summary_by_component as own where own.component_id = components.id) as checks,
    (
      select array_agg(teams.name order by teams.name)
      from team_components as link join teams on teams.id = link.team_id
      where link.component_id = components.id and teams.deleted_at is null
    ) as team_names,
    (select own.incidents from incident_summary_by_component as own where own.id = components.id) as incidents,
    (select own.analysis from analysis_summary_by_component as own where own.id = components.id) as analysis,
    (
      select array_agg(link.component_id order by link.component_id) from component_relationships as link
      where link.relationship_id = components.id and link.deleted_at is null
    ) as children,
    (
      select array_agg(link.relationship_id order by link.relationship_id) from component_relationships as link
      where link.component_id = components.id and link.deleted_at is null
    ) as parents
  from components
  where components.deleted_at is null;

create view component_names_all as
  select id, path, external_id, type, name, created_at, updated_at, icon, parent_id, deleted_at
  from components
  where not hidden
  order by name, external_id;

create view component_labels as
  select distinct label.key, label.value from components, jsonb_each_text(case when jsonb_typeof(components.labels) = 'object' then components.labels end) as label
  where components.deleted_at is null
  order by label.key, label.value;

create view component_types as
  select distinct type from components where type is not null and deleted_at is null order by type;

create view components_with_logs as
  select id, name, agent_id, icon, type from components
  where deleted_at is null and jsonb_typeof(log_selectors) = 'array' and log_selectors <> '[]';

create view topologies_with_status as
  select topologies.*, job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = topologies.id::text and failed.resource_type = 'topology' and failed.status = 'FAILED'
    ) as job_last_failed, case when agents.id is not null
      then jsonb_build_object('id', agents.id, 'name', agents.name) end as agent
  from topologies
  left join agents on agents.id = topologies.agent_id
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = topologies.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  where topologies.deleted_at is null;
