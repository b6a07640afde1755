-- Everything that the health dashboard and the check drawer read and write.

-- The tables that checks refer to: people and agents, components and config items.

-- 48 bits of milliseconds and 80 random bits: ids sort by creation. A random uuid has fixed bits in digits 13
-- and 17, which are left out.
create function generate_ulid() returns uuid language sql volatile as $$
  select (
    lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || substr(noise, 1, 12) || substr(noise, 18, 8)
  )::uuid
  from (select replace(gen_random_uuid()::text, '-', '') as noise) as random
$$;

-- The 26 digits of Crockford's base 32, five bits each, with two leading zero bits.
create function uuid_to_ulid(id uuid) returns text language sql immutable as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(bits, digit * 5 + 1, 5)::bit(5)::int + 1, 1), '' order by digit)
  from (select '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text as bits) as number,
    generate_series(0, 25) as digit
$$;

create type source as enum ('KubernetesCRD', 'ConfigFile', 'UI', 'Topology', 'Push', 'CRDSync');

create table people (
  id uuid primary key default generate_ulid(),
  name text not null,
  avatar text, type text, team_id uuid, organization text, title text, email text, phone text,
  properties jsonb,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz, last_login timestamptz,
  deleted_at timestamptz
);
create unique index people_email_key on people (email) where deleted_at is null;
create index people_external_id_idx on people (external_id);
insert into people (name) values ('System');

create table agents (
  id uuid primary key default generate_ulid(),
  name text not null,
  hostname text, description text, ip text, version text, username text,
  person_id uuid,
  properties jsonb,
  tls text,
  cleanup boolean not null default false,
  last_seen timestamptz, last_received timestamptz,
  created_by uuid references people (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index agents_name_key on agents (name) where deleted_at is null;
create index agents_name_idx on agents (name);
insert into agents (id, name) values ('00000000-0000-0000-0000-000000000000', 'local');

create table casbin_rule (
  id bigserial primary key,
  ptype varchar(100) not null, v0 varchar(100) not null, v1 varchar(100) not null,
  v2 varchar(100), v3 varchar(100), v4 varchar(100), v5 varchar(100)
);
create unique index casbin_rule_key on casbin_rule
  (ptype, v0, v1, coalesce(v2, ''), coalesce(v3, ''), coalesce(v4, ''), coalesce(v5, ''));

create table properties (
  name text primary key,
  value text not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  created_by uuid references people (id),
  deleted_at timestamptz
);

create table job_history (
  id uuid primary key default generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text,
  success_count integer, error_count integer,
  details jsonb,
  hostname text,
  duration_millis integer,
  resource_type text, resource_id text, status text,
  time_start timestamptz, time_end timestamptz,
  created_at timestamptz not null default now(),
  is_pushed boolean not null default false
);
create index job_history_resource_id_idx on job_history (resource_id, created_at desc);
create index job_history_status_idx on job_history (status);
create index job_history_created_at_idx on job_history (created_at);

create table config_scrapers (
  id uuid primary key default generate_ulid(),
  description text,
  name text not null,
  spec jsonb not null,
  source source not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000' references agents (id), created_by uuid references people (id), deleted_at timestamptz, is_pushed boolean not null default false
);

create table config_items (
  id uuid primary key default generate_ulid(),
  icon text,
  scraper_id uuid references config_scrapers (id),
  config_class text not null,
  status text, health text,
  ready boolean,
  external_id text[],
  type text not null,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  name text, description text,
  config jsonb,
  source text,
  labels jsonb, tags jsonb, properties jsonb,
  parent_id uuid references config_items (id) deferrable,
  path text,
  created_by uuid,
  last_scraped_time timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  delete_reason text,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000' references agents (id), deleted_at timestamptz, is_pushed boolean not null default false,
  constraint config_items_name_check check (name <> ''),
  constraint config_items_type_check check (type <> '')
);
create index config_items_external_id_idx on config_items using gin (external_id);
create index config_items_tags_idx on config_items using gin (tags);
create index config_items_identity_idx on config_items (agent_id, name, type, config_class);
create index config_items_path_idx on config_items (path);
create index config_items_parent_id_idx on config_items (parent_id);
create index config_items_scraper_id_idx on config_items (scraper_id);
create index config_items_live_scraper_id_idx on config_items (scraper_id) where deleted_at is null;
create index config_items_deleted_at_idx on config_items (deleted_at);
create index config_items_updated_at_idx on config_items (updated_at, id);

create table topologies (
  id uuid primary key default generate_ulid(),
  name text not null, namespace text not null,
  labels jsonb,
  source source not null default 'UI',
  spec jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  schedule text,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000' references agents (id), created_by uuid references people (id), deleted_at timestamptz, is_pushed boolean not null default false
);
create unique index topologies_name_key on topologies (agent_id, name, namespace)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000';

create table components (
  id uuid primary key default generate_ulid(),
  topology_id uuid references topologies (id),
  external_id text not null,
  parent_id uuid references components (id),
  config_id uuid references config_items (id),
  name text not null,
  text text, topology_type text, namespace text,
  labels jsonb,
  hidden boolean not null default false, silenced boolean not null default false,
  status text not null,
  status_expr text, health_expr text, health text, description text, lifecycle text, tooltip text,
  status_reason text, schedule text, icon text, type text, owner text,
  selectors jsonb, log_selectors jsonb, component_checks jsonb, configs jsonb, properties jsonb,
  path text,
  summary jsonb,
  is_leaf boolean default false,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000' references agents (id), created_by uuid references people (id), deleted_at timestamptz, is_pushed boolean not null default false,
  constraint components_topology_id_type_name_parent_id_key unique (topology_id, type, name, parent_id)
);
create index components_properties_idx on components using gin (properties);
create index components_deleted_at_idx on components (deleted_at);
create index components_agent_id_idx on components (agent_id);
create index components_parent_id_idx on components (parent_id);
create index components_config_id_idx on components (config_id);

create table config_component_relationships (
  component_id uuid not null references components (id) on delete cascade,
  config_id uuid not null references config_items (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  selector_id text,
  deleted_at timestamptz, is_pushed boolean not null default false,
  constraint config_component_relationships_component_id_config_id_key unique (component_id, config_id)
);
create index config_component_relationships_config_id_idx on config_component_relationships (config_id);
