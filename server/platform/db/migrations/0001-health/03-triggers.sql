-- What happens by itself when rows of the health tables change (updated_at, transitions, soft-delete cascades).

-- Rows of other servers keep the time that those gave; a soft delete is told by deleted_at alone.
create function touch_updated_at() returns trigger language plpgsql as $$
declare
  before jsonb := to_jsonb(old) - 'updated_at' - 'is_pushed';
  after jsonb := to_jsonb(new) - 'updated_at' - 'is_pushed';
begin
  if coalesce(after ->> 'agent_id', '00000000-0000-0000-0000-000000000000') <> '00000000-0000-0000-0000-000000000000'
    or after ->> 'deleted_at' is not null
  then
    return new;
  end if;
  if tg_nargs > 0 and before -> tg_argv[0] is not distinct from after -> tg_argv[0]
    and before -> 'deleted_at' is not distinct from after -> 'deleted_at'
  then
    return new;
  end if;
  if before is distinct from after then
    new.updated_at := now();
  end if;
  return new;
end $$;

create function reset_is_pushed() returns trigger language plpgsql as $$
begin
  if new.is_pushed and old.is_pushed
    and to_jsonb(old) - 'updated_at' is distinct from to_jsonb(new) - 'updated_at'
  then
    new.is_pushed := false;
  end if;
  return new;
end $$;

create trigger touch_updated_at before update on people
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on agents
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on properties
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on config_scrapers
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on config_items
  for each row execute function touch_updated_at('config');
create trigger touch_updated_at before update on topologies
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on components
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on config_component_relationships
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on canaries
  for each row execute function touch_updated_at('spec');
create trigger touch_updated_at before update on checks
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on check_component_relationships
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on check_config_relationships
  for each row execute function touch_updated_at();
create trigger reset_is_pushed before update on config_scrapers
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on config_items
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on topologies
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on components
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on config_component_relationships
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on canaries
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on checks
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on check_statuses
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on check_component_relationships
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on check_config_relationships
  for each row execute function reset_is_pushed();

create function note_check_transition() returns trigger language plpgsql as $$
begin
  new.last_transition_time := now();
  return new;
end $$;
create trigger note_check_transition before update of status on checks
  for each row when (new.status is distinct from old.status) execute function note_check_transition();

create function delete_with_canary() returns trigger language plpgsql as $$
begin
  update checks set deleted_at = new.deleted_at where canary_id = new.id and deleted_at is null;
  update check_component_relationships set deleted_at = new.deleted_at where canary_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger delete_with_canary after update of deleted_at on canaries
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_with_canary();

create function delete_with_check() returns trigger language plpgsql as $$
begin
  update check_component_relationships set deleted_at = new.deleted_at where check_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger delete_with_check after update of deleted_at on checks
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_with_check();

create function delete_with_component() returns trigger language plpgsql as $$
begin
  update check_component_relationships set deleted_at = new.deleted_at where component_id = new.id and deleted_at is null;
  update config_component_relationships set deleted_at = new.deleted_at where component_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger delete_with_component after update of deleted_at on components
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_with_component();

create function delete_with_scraper() returns trigger language plpgsql as $$
begin
  update config_items set deleted_at = new.deleted_at where scraper_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger delete_with_scraper after update of deleted_at on config_scrapers
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_with_scraper();

create function delete_with_agent() returns trigger language plpgsql as $$
begin
  update topologies set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  update components set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  update canaries set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  update checks set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  update config_scrapers set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  update config_items set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger delete_with_agent after update of deleted_at on agents
  for each row when (old.deleted_at is null and new.deleted_at is not null and new.cleanup) execute function delete_with_agent();

create function name_config_item() returns trigger language plpgsql as $$
begin
  new.name := right(new.id::text, 12);
  return new;
end $$;
create trigger name_config_item before insert on config_items
  for each row when (coalesce(new.name, '') = '') execute function name_config_item();
