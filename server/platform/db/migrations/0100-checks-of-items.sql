-- Which checks belong to a catalog item goes to devices with the item, as that of components does: a check that is silent
-- through its item is silent to see.
do $$
declare
  before constant text := rtrim(pg_get_viewdef('feed_configs'::regclass), ';');
  changed constant text := replace(before, E'\n   FROM config_items', E',
    (select array_agg(distinct link.check_id order by link.check_id)
       from check_config_relationships as link join checks on checks.id = link.check_id
      where link.config_id = config_items.id and link.deleted_at is null and checks.deleted_at is null) as check_ids\n   FROM config_items');
begin
  if before = changed then raise exception 'the view feed_configs has no columns to add to'; end if;
  execute 'create or replace view feed_configs as ' || changed;
end $$;

create function note_linked_config() returns trigger language plpgsql as $$
begin
  perform log_change('configs', coalesce(new.config_id, old.config_id)::text, false);
  return null;
end $$;
create constraint trigger note_config after insert or delete on check_config_relationships
  deferrable initially deferred for each row execute function note_linked_config();
create constraint trigger note_config_change after update on check_config_relationships
  deferrable initially deferred for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function note_linked_config();

create function note_configs_of_check() returns trigger language plpgsql as $$
begin
  perform log_change('configs', link.config_id::text, false)
    from check_config_relationships as link where link.check_id = new.id and link.deleted_at is null;
  return null;
end $$;
create constraint trigger note_configs after update on checks deferrable initially deferred for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function note_configs_of_check();

-- Devices that have these items already.
select log_change('configs', config_id::text, false)
  from (select distinct config_id from check_config_relationships where deleted_at is null) as linked;
