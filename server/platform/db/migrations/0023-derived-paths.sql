-- The path of a config item follows from its parents (schema §1.2), whoever writes it; events are only noted for
-- whom there is (schema §7.3); and the widest view counts the changes of relatives item by item, by their index,
-- instead of looking through all recent changes for each row.

create function config_path_below(parent config_items) returns text language sql immutable as $$
  select case when coalesce(parent.path, '') = '' then parent.id::text else parent.path || '.' || parent.id end
$$;

create function derive_config_path() returns trigger language plpgsql as $$
begin
  if new.parent_id is null then
    new.path := case when new.path is null then null else '' end;
  else
    -- A parent that comes later brings the path along.
    new.path := coalesce((select config_path_below(item) from config_items as item where item.id = new.parent_id),
      new.parent_id::text);
    -- In a circle nobody is the root.
    if new.id::text = any(string_to_array(new.path, '.')) then new.path := new.parent_id::text; end if;
  end if;
  return new;
end $$;
create trigger derive_config_path before insert or update of parent_id, path on config_items
  for each row execute function derive_config_path();

-- All below an item, level by level; a circle of parents ends where it began.
create function derive_config_paths_below(top uuid) returns void language plpgsql as $$
declare
  reached uuid[] := array[top];
  level uuid[] := array[top];
begin
  loop
    select coalesce(array_agg(item.id), '{}') into level from config_items as item
      where item.parent_id = any(level) and item.id <> all(reached);
    exit when cardinality(level) = 0;
    reached := reached || level;
    update config_items as item set path = config_path_below(parent) from config_items as parent
      where item.id = any(level) and parent.id = item.parent_id
        and item.path is distinct from config_path_below(parent);
  end loop;
end $$;

create function pass_config_path_on() returns trigger language plpgsql as $$
begin
  perform derive_config_paths_below(new.id);
  return null;
end $$;
create trigger pass_config_path_on_insert after insert on config_items
  for each row execute function pass_config_path_on();
create trigger pass_config_path_on_update after update of parent_id on config_items
  for each row when (old.parent_id is distinct from new.parent_id) execute function pass_config_path_on();

-- For rows that came in past the triggers, perhaps with paths that name the item itself.
create function derive_all_config_paths() returns void language sql as $$
  with recursive tree as (
    select item.id, '' as path from config_items as item where item.parent_id is null
    union all
    select item.id, case when tree.path = '' then tree.id::text else tree.path || '.' || tree.id end
    from config_items as item join tree on item.parent_id = tree.id
  )
  update config_items as item set path = tree.path from tree
    where tree.id = item.id and coalesce(item.path, '') <> tree.path
$$;
select derive_all_config_paths();

-- Who reads the queue says which events; nobody has said so before the first start.
create table event_subscriptions (name text primary key);
comment on table event_subscriptions is 'internal: events that somebody handles';

create or replace function queue_event(event text, about jsonb) returns void language sql as $$
  insert into event_queue (name, properties)
    select event, about
    where exists (select from event_subscriptions where name = event)
      or not exists (select from event_subscriptions)
    on conflict (name, md5(properties::text))
    do update set created_at = now(), last_attempt = null, attempts = 0
$$;

do $$
begin
  execute format('create or replace view config_detail as select %s from config_items', (
    select string_agg(case col.attname
      when 'summary' then $part$
    jsonb_build_object(
      'relationships', (
        select count(*) from config_relationships as link
        where link.config_id = config_items.id or link.related_id = config_items.id
      ),
      'analysis', (
        select count(*) from config_analysis as finding
        where finding.config_id = config_items.id and finding.last_observed > now() - interval '2 days'
      ),
      'changes', (
        select coalesce(sum(recent.count), 0)
        from (
          select config_items.id union select met.id from related_config_ids_recursive(config_items.id) as met
        ) as met
        cross join lateral (
          select count(*) as count from config_changes as change
          where change.config_id = met.id and change.created_at > now() - interval '2 days'
        ) as recent
      ),
      'playbook_runs', (
        select count(*) from playbook_runs as run
        where run.config_id = config_items.id and run.start_time > now() - interval '30 days'
      ),
      'checks', (
        select count(*) from check_config_relationships as link
        where link.config_id = config_items.id and link.deleted_at is null
      )
    ) as summary$part$
      when 'components' then $part$
    (
      select jsonb_agg(to_jsonb(components) order by components.name, components.id)
      from config_component_relationships as link join components on components.id = link.component_id
      where link.config_id = config_items.id and link.deleted_at is null and components.deleted_at is null
    ) as components$part$
      else format('config_items.%I', col.attname) end, ', ' order by col.attnum)
    from pg_attribute as col
    where col.attrelid = 'config_detail'::regclass and col.attnum > 0 and not col.attisdropped));
end $$;
