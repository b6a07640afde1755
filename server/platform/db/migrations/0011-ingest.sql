-- Makes room for scrapes that look at thousands of items at a time, and notes which scraper told which link. That
-- an item was seen (`last_scraped_time`) is the most frequent write of all: it must cost neither a copy of the
-- document as JSON nor a trigger. So the triggers of config_items name the columns that they are about; a column
-- that is added later has to be added here, too, or open pages won't hear of it.

-- A list of what is still to be sorted in would be searched from end to end by every look for an external id.
alter index config_items_external_id_idx set (fastupdate = off);
select gin_clean_pending_list('config_items_external_id_idx');
-- Room in each page for the next version of its rows: then no index has to be touched when an item was seen.
alter table config_items set (fillfactor = 75);

-- The rule is that of touch_updated_at('config'), without turning both rows into JSON.
create function touch_config_item() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
drop trigger touch_updated_at on config_items;
create trigger touch_updated_at before update of config, deleted_at on config_items
  for each row when (
    new.agent_id = '00000000-0000-0000-0000-000000000000' and new.deleted_at is null
    and (old.config is distinct from new.config or old.deleted_at is not null)
  ) execute function touch_config_item();
drop trigger note_change on config_items;
create constraint trigger note_change after update of icon, scraper_id, config_class, status, health, ready, external_id, type, name, description, config, source, labels, tags, properties, parent_id, path, created_by, cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, created_at, deleted_at, delete_reason, agent_id on config_items
  deferrable initially deferred for each row
  when ((old.icon, old.scraper_id, old.config_class, old.status, old.health, old.ready, old.external_id, old.type, old.name, old.description, old.config, old.source, old.labels, old.tags, old.properties, old.parent_id, old.path, old.created_by, old.cost_per_minute, old.cost_total_1d, old.cost_total_7d, old.cost_total_30d, old.created_at, old.deleted_at, old.delete_reason, old.agent_id) is distinct from (new.icon, new.scraper_id, new.config_class, new.status, new.health, new.ready, new.external_id, new.type, new.name, new.description, new.config, new.source, new.labels, new.tags, new.properties, new.parent_id, new.path, new.created_by, new.cost_per_minute, new.cost_total_1d, new.cost_total_7d, new.cost_total_30d, new.created_at, new.deleted_at, new.delete_reason, new.agent_id)) execute function note_change('configs', 'id');

drop trigger reset_is_pushed on config_items;
create trigger reset_is_pushed before update on config_items
  for each row when (old.is_pushed and new.is_pushed) execute function reset_is_pushed();
drop trigger reset_is_pushed on config_changes;
create trigger reset_is_pushed before update on config_changes
  for each row when (old.is_pushed and new.is_pushed) execute function reset_is_pushed();
drop trigger reset_is_pushed on config_analysis;
create trigger reset_is_pushed before update on config_analysis
  for each row when (old.is_pushed and new.is_pushed) execute function reset_is_pushed();
drop trigger reset_is_pushed on config_relationships;
create trigger reset_is_pushed before update on config_relationships
  for each row when (old.is_pushed and new.is_pushed) execute function reset_is_pushed();

-- What an item looked like when its scraper told it last: the same again needs no comparison. Whoever else changes the
-- item makes that void.
create table config_item_scrapes (
  config_id uuid primary key references config_items (id) on delete cascade,
  hash text not null
);
create function forget_scrape() returns trigger language plpgsql as $$
begin
  delete from config_item_scrapes where config_id = new.id;
  return null;
end $$;
create trigger forget_scrape after update of icon, scraper_id, config_class, status, health, ready, external_id, type, name, description, config, source, labels, tags, properties, parent_id, path, created_by, cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, created_at, deleted_at, delete_reason, agent_id on config_items for each row
  when ((old.icon, old.scraper_id, old.config_class, old.status, old.health, old.ready, old.external_id, old.type, old.name, old.description, old.config, old.source, old.labels, old.tags, old.properties, old.parent_id, old.path, old.created_by, old.cost_per_minute, old.cost_total_1d, old.cost_total_7d, old.cost_total_30d, old.created_at, old.deleted_at, old.delete_reason, old.agent_id) is distinct from (new.icon, new.scraper_id, new.config_class, new.status, new.health, new.ready, new.external_id, new.type, new.name, new.description, new.config, new.source, new.labels, new.tags, new.properties, new.parent_id, new.path, new.created_by, new.cost_per_minute, new.cost_total_1d, new.cost_total_7d, new.cost_total_30d, new.created_at, new.deleted_at, new.delete_reason, new.agent_id)) execute function forget_scrape();

-- Which scraper told a soft link: it lives for as long as one of them still tells it. Links without an entry came
-- another way (an import, an agent, a person) and are left alone.
create table config_relationship_scrapers (
  config_id uuid not null references config_items (id) on delete cascade,
  related_id uuid not null references config_items (id) on delete cascade,
  relation text not null,
  scraper_id uuid not null references config_scrapers (id) on delete cascade,
  deleted_at timestamptz,
  primary key (config_id, related_id, relation, scraper_id)
);
create index config_relationship_scrapers_related_id_idx on config_relationship_scrapers (related_id);
create index config_relationship_scrapers_scraper_id_idx on config_relationship_scrapers (scraper_id);

-- What begins so is nobody's business but the server's: the data API neither serves it nor joins through it.
comment on table config_item_scrapes is 'internal: what a scraper told last';
comment on table config_relationship_scrapers is 'internal: who told a link';
