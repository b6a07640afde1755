-- Canaries, their checks, what those found, and the links to components and config items.

create table canaries (
  id uuid primary key default generate_ulid(),
  name text not null, namespace text not null,
  labels jsonb, annotations jsonb,
  spec jsonb not null,
  source text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000' references agents (id), created_by uuid references people (id), deleted_at timestamptz, is_pushed boolean not null default false
);
create unique index canaries_name_key on canaries (agent_id, name, namespace, source)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000';
create index canaries_source_idx on canaries (source);

create table checks (
  id uuid primary key default generate_ulid(),
  canary_id uuid not null references canaries (id) on delete cascade,
  type text not null, name text not null,
  namespace text, description text, icon text,
  spec jsonb, labels jsonb,
  owner text, severity text, category text,
  transformed boolean,
  last_runtime timestamptz, last_transition_time timestamptz, next_runtime timestamptz, silenced_at timestamptz,
  status text,
  -- Readers page by updated_at, so no row may lack it.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000' references agents (id), deleted_at timestamptz, is_pushed boolean not null default false,
  constraint checks_canary_id_type_name_agent_id_key unique (canary_id, type, name, agent_id)
);
create index checks_canary_id_transformed_idx on checks (canary_id, transformed);
create index checks_agent_id_idx on checks (agent_id);
create index checks_deleted_at_idx on checks (deleted_at);
create index checks_updated_at_idx on checks (updated_at, id);

-- The primary key, read backwards, is the index for "newest of a check".
create table check_statuses (
  check_id uuid not null references checks (id) on delete cascade,
  details jsonb,
  duration integer,
  error text,
  time timestamptz not null,
  created_at timestamptz not null default now(),
  invalid boolean,
  message text,
  status boolean,
  severity text,
  is_pushed boolean not null default false,
  primary key (check_id, time)
);
create index check_statuses_time_idx on check_statuses using brin (time);
create index check_statuses_created_at_idx on check_statuses (created_at);

create table check_statuses_1h (
  check_id uuid not null references checks (id) on delete cascade,
  created_at timestamptz not null,
  duration integer not null, total integer not null, passed integer not null, failed integer not null,
  primary key (check_id, created_at)
);
create index check_statuses_1h_created_at_idx on check_statuses_1h using brin (created_at);

create table check_statuses_1d (
  check_id uuid not null references checks (id) on delete cascade,
  created_at timestamptz not null,
  duration integer not null, total integer not null, passed integer not null, failed integer not null,
  primary key (check_id, created_at)
);

-- Uptime and latency of the last hour, or of the newest status where that is older. Kept by the check runner:
-- a view refreshed each minute would hold a single-connection database for as long as it computes.
create table check_status_summary (
  check_id uuid primary key references checks (id) on delete cascade,
  p99 integer, p95 integer, p50 integer,
  mean double precision,
  passed integer not null default 0, failed integer not null default 0,
  last_check timestamptz, last_pass timestamptz, last_fail timestamptz,
  computed_at timestamptz not null default now()
);

create table check_component_relationships (
  component_id uuid not null references components (id) on delete cascade,
  check_id uuid not null references checks (id) on delete cascade,
  canary_id uuid not null references canaries (id) on delete cascade,
  selector_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz, is_pushed boolean not null default false,
  constraint check_component_relationships_key unique (component_id, check_id, canary_id, selector_id)
);
create index check_component_relationships_check_id_idx on check_component_relationships (check_id);
create index check_component_relationships_deleted_at_idx on check_component_relationships (deleted_at);

create table check_config_relationships (
  config_id uuid not null references config_items (id) on delete cascade,
  check_id uuid not null references checks (id) on delete cascade,
  canary_id uuid not null references canaries (id) on delete cascade,
  selector_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz, is_pushed boolean not null default false,
  constraint check_config_relationships_key unique (config_id, check_id, canary_id, selector_id)
);
create index check_config_relationships_check_id_idx on check_config_relationships (check_id);
