-- Views of incidents and of jobs that lists read.

-- created_by is more than the wire contract lists: without it the list's filter by owner would fail.
create view incident_summary as
  select incidents.id, incidents.incident_id, incidents.title, incidents.severity, incidents.type, incidents.status,
    incidents.created_at, incidents.updated_at,
    case when commander.id is not null
      then jsonb_build_object('id', commander.id, 'avatar', commander.avatar, 'name', commander.name)
    end as commander,
    coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'id', coalesce(person.id, team.id),
          'avatar', case when person.id is not null then person.avatar else team.icon end,
          'name', coalesce(person.name, team.name)
        ) order by responder.created_at, responder.id)
      from responders as responder
      left join people as person on person.id = responder.person_id
      left join teams as team on team.id = responder.team_id
      where responder.incident_id = incidents.id and responder.deleted_at is null
        and (person.id is not null or team.id is not null)
    ), '[]') as responders,
    coalesce((
      select jsonb_agg(
        jsonb_build_object('id', person.id, 'avatar', person.avatar, 'name', person.name)
        order by person.name, person.id)
      from people as person
      where person.id in (select comments.created_by from comments where comments.incident_id = incidents.id)
    ), '[]') as commenters,
    incidents.created_by
  from incidents
  left join people as commander on commander.id = incidents.commander_id;

create view job_histories as
  select job.id, job.agent_id, job.name, job.success_count, job.error_count, job.details, job.hostname,
    job.duration_millis, job.resource_type, job.resource_id, job.status, job.time_start, job.time_end,
    job.created_at, job.is_pushed,
    coalesce(case job.resource_type
      when 'components' then (select resource.name from components as resource where resource.id = case
      when job.resource_id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then job.resource_id::uuid end)
      when 'config_scraper' then (select resource.name from config_scrapers as resource where resource.id = case
      when job.resource_id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then job.resource_id::uuid end)
      when 'canary' then (select resource.name from canaries as resource where resource.id = case
      when job.resource_id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then job.resource_id::uuid end)
      when 'topology' then (select resource.name from topologies as resource where resource.id = case
      when job.resource_id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then job.resource_id::uuid end)
    end, job.resource_id) as resource_name,
    case when agents.id is not null then jsonb_build_object('id', agents.id, 'name', agents.name) end as agent
  from job_history as job
  left join agents on agents.id = job.agent_id;
