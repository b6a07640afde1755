-- Teams, what happens in the catalog, incidents, playbooks, notifications and the events they follow.

-- Teams and who is in them, connections, log stores, and what waits for the server's attention.

create table teams (
  id uuid primary key default generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint teams_name_key unique (name)
);

-- Until now there was no team that a person could have been in.
update people set team_id = null where team_id is not null;
alter table people add constraint people_team_id_fkey foreign key (team_id) references teams (id);

create table team_members (
  team_id uuid not null references teams (id),
  person_id uuid not null references people (id),
  primary key (team_id, person_id)
);
create index team_members_person_id_idx on team_members (person_id);

create table team_components (
  team_id uuid not null references teams (id) on delete cascade,
  component_id uuid not null references components (id) on delete cascade,
  role text, selector_id text,
  primary key (team_id, component_id),
  constraint team_components_key unique (team_id, component_id, selector_id)
);
create index team_components_component_id_idx on team_components (component_id);

create table connections (
  id uuid primary key default generate_ulid(),
  name text not null,
  namespace text not null default 'default',
  type text not null,
  url text,
  source source,
  username text, password text, certificate text,
  properties jsonb,
  insecure_tls boolean default true,
  created_by uuid references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index connections_name_key on connections (name, namespace) where deleted_at is null;

create table logging_backends (
  id uuid primary key default generate_ulid(),
  name text not null,
  labels jsonb,
  spec jsonb not null,
  source source,
  agent_id uuid,
  created_at timestamptz default now(),
  updated_at timestamptz,
  created_by uuid references people (id),
  deleted_at timestamptz
);

create table integrations (
  id uuid primary key default generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid references people (id) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table saved_query (
  id uuid primary key default generate_ulid(),
  icon text, description text,
  query text not null,
  columns jsonb,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table event_queue (
  id uuid primary key default generate_ulid(),
  name text not null,
  properties jsonb,
  error text,
  delay bigint,
  created_at timestamptz not null default now(),
  last_attempt timestamptz,
  attempts integer default 0,
  priority integer not null default 100
);
-- Unique by (name, properties). The text is hashed because an index entry holds at most 2.7 kB, and a long
-- description in an event must not make the change fail that caused it.
create unique index event_queue_key on event_queue (name, md5(properties::text));
create index event_queue_properties_idx on event_queue using gin (properties);
create index event_queue_pop_order_idx on event_queue (priority desc, created_at);
