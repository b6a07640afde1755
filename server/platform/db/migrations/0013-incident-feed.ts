/**
 * What incidents lacked on devices: how a responder's call in the outside system stands, how far each person has
 * read, which rule opened an incident, and what a team's responders can be asked (without what signs in there).
 */

const own = (table: string, names: string): string =>
  names
    .split(/\s+/)
    .map((name) => `${table}.${name}`)
    .join(', ');

const SCOPE = "(incidents.closed is null or incidents.closed > now() - interval '90 days')";

function record(kind: string, table: string, columns: string): string {
  const on = table === 'evidences' ? 'hypotheses.incident_id' : `${table}.incident_id`;
  return `select ${table}.id, '${kind}' as kind, ${on} as incident_id, row_to_json(own) as own
    from ${table}
    ${table === 'evidences' ? 'join hypotheses on hypotheses.id = evidences.hypothesis_id' : ''}
    join incidents on incidents.id = ${on}
    cross join lateral (select ${columns}) as own
    where ${SCOPE}${table === 'responders' ? ' and responders.deleted_at is null' : ''}`;
}

const RECORDS = [
  record(
    'hypothesis',
    'hypotheses',
    own('hypotheses', 'parent_id title type status created_by created_at updated_at'),
  ),
  record(
    'evidence',
    'evidences',
    `${own('evidences', 'hypothesis_id type description done script script_result evidence properties config_id config_change_id config_analysis_id component_id check_id created_by created_at updated_at')},
      coalesce(evidences.definition_of_done, false) as definition_of_done`,
  ),
  record(
    'comment',
    'comments',
    own(
      'comments',
      'hypothesis_id responder_id comment external_created_by created_by created_at updated_at',
    ),
  ),
  record(
    'responder',
    'responders',
    `${own('responders', 'type person_id team_id external_id properties acknowledged resolved closed created_by created_at updated_at')},
      (select jsonb_build_object('state', delivery.state, 'attempts', delivery.attempts, 'error', delivery.error,
          'url', delivery.url, 'remote_status', delivery.remote_status, 'at', delivery.updated_at)
        from responder_deliveries as delivery where delivery.responder_id = responders.id) as delivery`,
  ),
  record(
    'history',
    'incident_histories',
    own(
      'incident_histories',
      'type description hypothesis_id evidence_id responder_id comment_id created_by created_at',
    ),
  ),
  record(
    'read',
    'incident_reads',
    `${own('incident_reads', 'person_id read_at created_at')}, incident_reads.person_id as created_by`,
  ),
];

const resource = (kind: string, table: string, columns: string): string =>
  `select ${table}.id::text as id, '${kind}' as kind, row_to_json(own) as own
    from ${table} cross join lateral (select ${columns}) as own where ${table}.deleted_at is null`;

const RESOURCES = [
  resource(
    'team',
    'teams',
    `${own('teams', 'name icon source created_at updated_at')},
      (select coalesce(jsonb_agg(member.person_id order by member.person_id), '[]') from team_members as member
        where member.team_id = teams.id) as members,
      public_responder_clients(teams.spec) as responder_clients`,
  ),
  resource('person', 'people', own('people', 'name avatar type team_id created_at updated_at')),
  resource('agent', 'agents', own('agents', 'name hostname description version created_at updated_at')),
  resource(
    'topology',
    'topologies',
    own('topologies', 'name namespace labels source agent_id created_at updated_at'),
  ),
  resource(
    'scraper',
    'config_scrapers',
    own('config_scrapers', 'name description source agent_id created_at updated_at'),
  ),
  resource(
    'notification_rule',
    'notifications',
    own('notifications', 'name namespace events title error person_id team_id source created_at updated_at'),
  ),
  resource(
    'silence',
    'notification_silences',
    `${own('notification_silences', 'namespace description recursive config_id check_id canary_id component_id source created_by created_at updated_at')},
      notification_silences."from", notification_silences."until"`,
  ),
  resource(
    'incident_rule',
    'incident_rules',
    own('incident_rules', 'name source created_by created_at updated_at'),
  ),
  resource(
    'logging_backend',
    'logging_backends',
    own('logging_backends', 'name labels source agent_id created_by created_at updated_at'),
  ),
  `select 'property:' || properties.name as id, 'property' as kind, row_to_json(own) as own
    from properties
    cross join lateral (select ${own('properties', 'name value created_at updated_at')}) as own
    where properties.deleted_at is null`,
];

const LOGGED = (table: string, key: string, ignored: string): string => `
create constraint trigger note_new after insert or delete on ${table} deferrable initially deferred for each row
  execute function note_change('incident_records', '${key}');
create constraint trigger note_change after update on ${table} deferrable initially deferred for each row
  when (to_jsonb(old) - '{${ignored}}'::text[] is distinct from to_jsonb(new) - '{${ignored}}'::text[])
  execute function note_change('incident_records', '${key}');
create trigger touch_updated_at before update on ${table} for each row execute function touch_updated_at();
`;

export const up = `
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
${LOGGED('responder_deliveries', 'responder_id', 'next_attempt_at,read_until,updated_at')}
${LOGGED('incident_reads', 'id', 'updated_at')}

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
  from incidents where ${SCOPE};

create or replace view feed_incident_records as
  ${RECORDS.join('\n  union all\n  ')};

create or replace view feed_resources as
  ${RESOURCES.join('\n  union all\n  ')};

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
`;
