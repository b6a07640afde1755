-- Incidents: what may have caused them, what speaks for it, who talks and who helps.

-- Ids may repeat (a priority can have several names), so this table has no key.
create table severities (
  id integer,
  name text not null,
  aliases text[],
  icon text
);
insert into severities (id, name, icon, aliases) values
  (1, 'Critical', 'error', '{P1}'),
  (2, 'Blocker', 'error', '{P2}'),
  (3, 'High', 'warning', '{P3}'),
  (4, 'Medium', 'info', '{P4}'),
  (5, 'Low', 'info', '{P4}');

create table incident_rules (
  id uuid primary key default generate_ulid(),
  name text not null,
  spec jsonb,
  source text,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint incident_rules_name_key unique (name)
);

create sequence incident_number;
create table incidents (
  id uuid primary key default generate_ulid(),
  incident_id varchar(10) not null default 'INC-' || nextval('incident_number'),
  incident_rule_id uuid references incident_rules (id),
  title text not null,
  commander_id uuid references people (id),
  communicator_id uuid references people (id),
  severity text not null, description text not null, type text not null, status text not null,
  acknowledged timestamptz, resolved timestamptz, closed timestamptz,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incidents_incident_id_key unique (incident_id)
);
create index incidents_updated_at_idx on incidents (updated_at, id);

create table responders (
  id uuid primary key default generate_ulid(),
  incident_id uuid not null references incidents (id),
  type text not null,
  index smallint,
  person_id uuid references people (id),
  team_id uuid references teams (id),
  external_id text,
  properties jsonb,
  acknowledged timestamptz, resolved timestamptz, closed timestamptz,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index responders_incident_id_idx on responders (incident_id);
create index responders_updated_at_idx on responders (updated_at, id);

create table hypotheses (
  id uuid primary key default generate_ulid(),
  incident_id uuid not null references incidents (id),
  parent_id uuid references hypotheses (id),
  owner uuid references responders (id),
  team_id uuid references teams (id),
  type text not null, title text not null, status text not null,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint hypotheses_type_check check (type in ('root', 'factor', 'solution'))
);
create index hypotheses_incident_id_idx on hypotheses (incident_id);
create index hypotheses_parent_id_idx on hypotheses (parent_id);
create index hypotheses_updated_at_idx on hypotheses (updated_at, id);

create table evidences (
  id uuid primary key default generate_ulid(),
  description text not null,
  hypothesis_id uuid not null references hypotheses (id),
  config_id uuid references config_items (id),
  config_change_id uuid references config_changes (id),
  config_analysis_id uuid references config_analysis (id),
  component_id uuid references components (id),
  check_id uuid references checks (id),
  definition_of_done boolean default false,
  done boolean, factor boolean, mitigator boolean,
  type text not null,
  evidence jsonb, properties jsonb,
  script text, script_result text,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index evidences_hypothesis_id_idx on evidences (hypothesis_id);
create index evidences_config_id_idx on evidences (config_id);
create index evidences_config_change_id_idx on evidences (config_change_id);
create index evidences_config_analysis_id_idx on evidences (config_analysis_id);
create index evidences_component_id_idx on evidences (component_id);
create index evidences_check_id_idx on evidences (check_id);
create index evidences_updated_at_idx on evidences (updated_at, id);

create table comments (
  id uuid primary key default generate_ulid(),
  comment text not null,
  external_id text, external_created_by text,
  incident_id uuid not null references incidents (id),
  responder_id uuid references responders (id),
  hypothesis_id uuid references hypotheses (id),
  read int2[],
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index comments_incident_id_idx on comments (incident_id);
create index comments_hypothesis_id_idx on comments (hypothesis_id);
create index comments_updated_at_idx on comments (updated_at, id);

-- The remote copies of a comment mean nothing without it: they must not keep it from being deleted.
create table comment_responders (
  id uuid primary key default generate_ulid(),
  comment_id uuid not null references comments (id) on delete cascade,
  responder_id uuid not null references responders (id),
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index comment_responders_comment_id_idx on comment_responders (comment_id);

-- What happened stays told after its subject is gone. The clock's time, not the transaction's: rows of one
-- transaction have an order, which ids of the same millisecond don't.
create table incident_histories (
  id uuid primary key default generate_ulid(),
  incident_id uuid not null references incidents (id),
  type text, description text,
  hypothesis_id uuid references hypotheses (id) on delete set null,
  responder_id uuid references responders (id) on delete set null,
  evidence_id uuid references evidences (id) on delete set null,
  comment_id uuid references comments (id) on delete set null,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index incident_histories_incident_id_idx on incident_histories (incident_id, created_at);
create index incident_histories_hypothesis_id_idx on incident_histories (hypothesis_id);
create index incident_histories_evidence_id_idx on incident_histories (evidence_id);
create index incident_histories_comment_id_idx on incident_histories (comment_id);

create table incident_relationships (
  incident_id uuid not null references incidents (id),
  related_id uuid not null references incidents (id),
  relationship text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
