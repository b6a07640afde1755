-- What happens to config items, what is wrong with them, and how they and the components hang together.

create table config_changes (
  id uuid primary key default generate_ulid(),
  config_id uuid not null references config_items (id) on delete cascade deferrable,
  external_change_id text, external_created_by text, change_type text, severity text, source text, summary text,
  patches jsonb,
  diff text,
  details jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  count integer not null default 1,
  fingerprint text,
  first_observed timestamptz not null default now(),
  is_pushed boolean not null default false,
  constraint config_changes_config_id_external_change_id_key unique (config_id, external_change_id)
);
create index config_changes_change_type_idx on config_changes (change_type);
create index config_changes_config_id_idx on config_changes (config_id);
create index config_changes_config_id_change_type_idx on config_changes (config_id, change_type);
create index config_changes_fingerprint_idx on config_changes (fingerprint, created_at);
create index config_changes_created_at_brin_idx on config_changes using brin (created_at);
-- Readers page by time, which a block range index cannot order.
create index config_changes_created_at_idx on config_changes (created_at, id);

create table config_analysis (
  id uuid primary key default generate_ulid(),
  config_id uuid not null references config_items (id) on delete cascade deferrable,
  scraper_id uuid,
  source text,
  analyzer text not null,
  analysis_type text, severity text, summary text,
  status text default 'open',
  message text,
  analysis jsonb,
  first_observed timestamptz not null default now(),
  last_observed timestamptz,
  created_by uuid references people (id),
  is_pushed boolean not null default false
);
create index config_analysis_config_id_idx on config_analysis (config_id);
create index config_analysis_open_config_id_idx on config_analysis (config_id) where status = 'open';
create index config_analysis_last_observed_idx on config_analysis using brin (last_observed);
create index config_analysis_scraper_id_idx on config_analysis (scraper_id);

create table config_relationships (
  config_id uuid not null references config_items (id) on delete cascade deferrable,
  related_id uuid not null references config_items (id) on delete cascade deferrable,
  relation text, selector_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz, is_pushed boolean not null default false,
  constraint config_relationships_related_id_config_id_relation_key unique (related_id, config_id, relation)
);
create index config_relationships_config_id_idx on config_relationships (config_id);
insert into config_relationships (config_id, related_id, relation)
  select parent_id, id, 'hard' from config_items where parent_id is not null;

create table component_relationships (
  component_id uuid not null references components (id) on delete cascade,
  relationship_id uuid not null references components (id) on delete cascade,
  selector_id text, relationship_path text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz, is_pushed boolean not null default false,
  constraint component_relationships_key unique (component_id, relationship_id, selector_id)
);
create index component_relationships_relationship_id_idx on component_relationships (relationship_id);
