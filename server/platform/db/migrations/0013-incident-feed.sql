-- What incidents lacked on devices: how a responder's call in the outside system stands, how far each person has
-- read, which rule opened an incident, and what a team's responders can be asked (without what signs in there).

create table responder_deliveries (
  responder_id uuid primary key references responders (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  error text,
  url text,
  remote_status text,
  -- Comments and status of the outside system were read up to here.
  read_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table responder_deliveries is 'internal: the way of responders to outside systems';
create index responder_deliveries_due_idx on responder_deliveries (next_attempt_at) where state = 'waiting';

create table incident_reads (
  id uuid primary key default generate_ulid(),
  incident_id uuid not null references incidents (id) on delete cascade,
  person_id uuid not null references people (id),
  read_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_reads_key unique (incident_id, person_id)
);
comment on table incident_reads is 'internal: how far each person has read';
create index incident_reads_person_id_idx on incident_reads (person_id);

create constraint trigger note_new after insert or delete on responder_deliveries deferrable initially deferred for each row
  execute function note_change('incident_records', 'responder_id');
create constraint trigger note_change after update on responder_deliveries deferrable initially deferred for each row
  when (to_jsonb(old) - '{next_attempt_at,read_until,updated_at}'::text[] is distinct from to_jsonb(new) - '{next_attempt_at,read_until,updated_at}'::text[])
  execute function note_change('incident_records', 'responder_id');
create trigger touch_updated_at before update on responder_deliveries for each row execute function touch_updated_at();

create constraint trigger note_new after insert or delete on incident_reads deferrable initially deferred for each row
  execute function note_change('incident_records', 'id');
create constraint trigger note_change after update on incident_reads deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at}'::text[] is distinct from to_jsonb(new) - '{updated_at}'::text[])
  execute function note_change('incident_records', 'id');
create trigger touch_updated_at before update on incident_reads for each row execute function touch_updated_at();

-- Of each kind of client: which values it offers, what its form starts with, where its tickets are seen.
create function public_responder_clients(spec jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(client.key, jsonb_strip_nulls(jsonb_build_object(
      'defaults', client.value -> 'defaults', 'values', client.value -> 'values',
      'linkUrl', client.value -> 'linkUrl'))), '{}')
  from jsonb_each(case when jsonb_typeof(spec -> 'responder_clients') = 'object'
    then spec -> 'responder_clients' else '{}' end) as client
  where jsonb_typeof(client.value) = 'object'
$$;

create or replace view feed_incidents as
  select id, incident_id, title, description, type, severity, status, created_by, commander_id, communicator_id,
    acknowledged, resolved, closed, created_at, updated_at, incident_rule_id
  from incidents where (incidents.closed is null or incidents.closed > now() - interval '90 days');

create or replace view feed_incident_records as
  select hypotheses.id, 'hypothesis' as kind, hypotheses.incident_id as incident_id, row_to_json(own) as own
    from hypotheses

    join incidents on incidents.id = hypotheses.incident_id
    cross join lateral (select hypotheses.parent_id, hypotheses.title, hypotheses.type, hypotheses.status, hypotheses.created_by, hypotheses.created_at, hypotheses.updated_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select evidences.id, 'evidence' as kind, hypotheses.incident_id as incident_id, row_to_json(own) as own
    from evidences
    join hypotheses on hypotheses.id = evidences.hypothesis_id
    join incidents on incidents.id = hypotheses.incident_id
    cross join lateral (select evidences.hypothesis_id, evidences.type, evidences.description, evidences.done, evidences.script, evidences.script_result, evidences.evidence, evidences.properties, evidences.config_id, evidences.config_change_id, evidences.config_analysis_id, evidences.component_id, evidences.check_id, evidences.created_by, evidences.created_at, evidences.updated_at,
      coalesce(evidences.definition_of_done, false) as definition_of_done) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select comments.id, 'comment' as kind, comments.incident_id as incident_id, row_to_json(own) as own
    from comments

    join incidents on incidents.id = comments.incident_id
    cross join lateral (select comments.hypothesis_id, comments.responder_id, comments.comment, comments.external_created_by, comments.created_by, comments.created_at, comments.updated_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select responders.id, 'responder' as kind, responders.incident_id as incident_id, row_to_json(own) as own
    from responders

    join incidents on incidents.id = responders.incident_id
    cross join lateral (select responders.type, responders.person_id, responders.team_id, responders.external_id, responders.properties, responders.acknowledged, responders.resolved, responders.closed, responders.created_by, responders.created_at, responders.updated_at,
      (select jsonb_build_object('state', delivery.state, 'attempts', delivery.attempts, 'error', delivery.error,
          'url', delivery.url, 'remote_status', delivery.remote_status, 'at', delivery.updated_at)
        from responder_deliveries as delivery where delivery.responder_id = responders.id) as delivery) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days') and responders.deleted_at is null
  union all
  select incident_histories.id, 'history' as kind, incident_histories.incident_id as incident_id, row_to_json(own) as own
    from incident_histories

    join incidents on incidents.id = incident_histories.incident_id
    cross join lateral (select incident_histories.type, incident_histories.description, incident_histories.hypothesis_id, incident_histories.evidence_id, incident_histories.responder_id, incident_histories.comment_id, incident_histories.created_by, incident_histories.created_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select incident_reads.id, 'read' as kind, incident_reads.incident_id as incident_id, row_to_json(own) as own
    from incident_reads

    join incidents on incidents.id = incident_reads.incident_id
    cross join lateral (select incident_reads.person_id, incident_reads.read_at, incident_reads.created_at, incident_reads.person_id as created_by) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days');

create or replace view feed_resources as
  select teams.id::text as id, 'team' as kind, row_to_json(own) as own
    from teams cross join lateral (select teams.name, teams.icon, teams.source, teams.created_at, teams.updated_at,
      (select coalesce(jsonb_agg(member.person_id order by member.person_id), '[]') from team_members as member
        where member.team_id = teams.id) as members,
      public_responder_clients(teams.spec) as responder_clients) as own where teams.deleted_at is null
  union all
  select people.id::text as id, 'person' as kind, row_to_json(own) as own
    from people cross join lateral (select people.name, people.avatar, people.type, people.team_id, people.created_at, people.updated_at) as own where people.deleted_at is null
  union all
  select agents.id::text as id, 'agent' as kind, row_to_json(own) as own
    from agents cross join lateral (select agents.name, agents.hostname, agents.description, agents.version, agents.created_at, agents.updated_at) as own where agents.deleted_at is null
  union all
  select topologies.id::text as id, 'topology' as kind, row_to_json(own) as own
    from topologies cross join lateral (select topologies.name, topologies.namespace, topologies.labels, topologies.source, topologies.agent_id, topologies.created_at, topologies.updated_at) as own where topologies.deleted_at is null
  union all
  select config_scrapers.id::text as id, 'scraper' as kind, row_to_json(own) as own
    from config_scrapers cross join lateral (select config_scrapers.name, config_scrapers.description, config_scrapers.source, config_scrapers.agent_id, config_scrapers.created_at, config_scrapers.updated_at) as own where config_scrapers.deleted_at is null
  union all
  select notifications.id::text as id, 'notification_rule' as kind, row_to_json(own) as own
    from notifications cross join lateral (select notifications.name, notifications.namespace, notifications.events, notifications.title, notifications.error, notifications.person_id, notifications.team_id, notifications.source, notifications.created_at, notifications.updated_at) as own where notifications.deleted_at is null
  union all
  select notification_silences.id::text as id, 'silence' as kind, row_to_json(own) as own
    from notification_silences cross join lateral (select notification_silences.namespace, notification_silences.description, notification_silences.recursive, notification_silences.config_id, notification_silences.check_id, notification_silences.canary_id, notification_silences.component_id, notification_silences.source, notification_silences.created_by, notification_silences.created_at, notification_silences.updated_at,
      notification_silences."from", notification_silences."until") as own where notification_silences.deleted_at is null
  union all
  select incident_rules.id::text as id, 'incident_rule' as kind, row_to_json(own) as own
    from incident_rules cross join lateral (select incident_rules.name, incident_rules.source, incident_rules.created_by, incident_rules.created_at, incident_rules.updated_at) as own where incident_rules.deleted_at is null
  union all
  select logging_backends.id::text as id, 'logging_backend' as kind, row_to_json(own) as own
    from logging_backends cross join lateral (select logging_backends.name, logging_backends.labels, logging_backends.source, logging_backends.agent_id, logging_backends.created_by, logging_backends.created_at, logging_backends.updated_at) as own where logging_backends.deleted_at is null
  union all
  select 'property:' || properties.name as id, 'property' as kind, row_to_json(own) as own
    from properties
    cross join lateral (select properties.name, properties.value, properties.created_at, properties.updated_at) as own
    where properties.deleted_at is null;

create or replace function note_records_of_incident() returns trigger language plpgsql as $$
begin
  perform log_change('incident_records', record.id::text, false) from (
    select id from hypotheses where incident_id = new.id
    union all select evidences.id from evidences
      join hypotheses on hypotheses.id = evidences.hypothesis_id where hypotheses.incident_id = new.id
    union all select id from comments where incident_id = new.id
    union all select id from responders where incident_id = new.id
    union all select id from incident_histories where incident_id = new.id
    union all select id from incident_reads where incident_id = new.id
  ) as record;
  return null;
end $$;

-- Devices that replicated before have not seen what teams offer, nor which rule opened an incident.
select log_change('resources', id::text, false) from teams where deleted_at is null;
select log_change('incidents', id::text, false) from incidents where incident_rule_id is not null;
