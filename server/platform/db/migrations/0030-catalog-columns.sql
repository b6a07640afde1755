-- What data sets of the catalog have beside the dictionary: costs by period, locations, who told a link, and the
-- namespace of a scraper in a column of its own. And severities of changes and findings are small letters, whoever
-- writes them.

alter table config_scrapers add column namespace text;
comment on column config_scrapers.namespace is 'where the name is not written as namespace/name';

alter table config_relationships add column scraper_id uuid;
alter table config_relationships add constraint config_relationships_scraper_id_fkey
  foreign key (scraper_id) references config_scrapers (id) on delete set null;
create index config_relationships_scraper_id_idx on config_relationships (scraper_id) where scraper_id is not null;
comment on column config_relationships.scraper_id is 'the scraper that told the link first';

create table config_locations (
  id uuid not null references config_items (id) on delete cascade,
  location text not null,
  constraint config_locations_config_item_id_location_key unique (id, location)
);
create index config_locations_location_idx on config_locations (location text_pattern_ops);

create table config_costs (
  id uuid primary key default generate_ulid(),
  config_id uuid not null references config_items (id) on delete cascade,
  scraper_id uuid references config_scrapers (id) on delete set null,
  source_key text not null,
  external_id text, external_config_type text, external_config_scraper_id text,
  external_config_labels jsonb,
  period_start timestamptz not null, period_end timestamptz not null,
  grain text not null,
  charge_category text not null, charge_class text,
  service_name text, service_category text, sku_id text, region_id text,
  billing_currency text not null,
  billed_cost numeric(24, 10) not null, effective_cost numeric(24, 10) not null,
  list_cost numeric(24, 10), contracted_cost numeric(24, 10),
  pricing_quantity numeric(24, 10), pricing_unit text,
  focus jsonb,
  fingerprint text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint config_costs_merge_uniq unique (source_key, fingerprint, period_start, period_end),
  constraint config_costs_period check (period_end > period_start),
  constraint config_costs_grain check (grain in ('level1', 'level2', 'level3'))
);
create index config_costs_config_period_idx on config_costs (config_id, period_start);
create index config_costs_scraper_id_idx on config_costs (scraper_id) where scraper_id is not null;
create trigger touch_updated_at before update on config_costs
  for each row execute function touch_updated_at();

create function lower_severity() returns trigger language plpgsql as $$
begin
  new.severity := lower(new.severity);
  return new;
end $$;

update config_changes set severity = lower(severity) where severity <> lower(severity);
create trigger lower_severity before insert or update of severity on config_changes
  for each row when (new.severity <> lower(new.severity)) execute function lower_severity();

update config_analysis set severity = lower(severity) where severity <> lower(severity);
create trigger lower_severity before insert or update of severity on config_analysis
  for each row when (new.severity <> lower(new.severity)) execute function lower_severity();

-- The view as it is, with the namespace at its end.
do $$
declare
  before text := pg_get_viewdef('config_scrapers_with_status'::regclass);
  changed text := regexp_replace(before, E'\n   FROM ', E',\n    config_scrapers.namespace\n   FROM ');
begin
  if before = changed then raise exception 'the view config_scrapers_with_status has no columns to add to'; end if;
  execute 'create or replace view config_scrapers_with_status as ' || changed;
end $$;
