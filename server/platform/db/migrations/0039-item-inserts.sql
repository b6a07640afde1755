-- What follows from new config items follows from all of a statement's at once: a scrape stores thousands, and a call a
-- row was half of what that cost. What is noted is the same as before.

-- Those that came before their parents; few new items have any.
create function pass_new_config_paths_on() returns trigger language plpgsql as $$
declare
  top uuid;
begin
  for top in
    select item.id from new_items as item
    where exists (select from config_items as child where child.parent_id = item.id)
  loop
    perform derive_config_paths_below(top);
  end loop;
  return null;
end $$;
drop trigger pass_config_path_on_insert on config_items;
create trigger pass_config_path_on_insert after insert on config_items referencing new table as new_items
  for each statement execute function pass_new_config_paths_on();

create function queue_created_configs() returns trigger language plpgsql as $$
begin
  insert into event_queue (name, properties)
    select 'config.created', jsonb_build_object('id', item.id) from new_items as item
    where exists (select from event_subscriptions where name = 'config.created')
      or not exists (select from event_subscriptions)
    on conflict (name, md5(properties::text))
    do update set created_at = now(), last_attempt = null, attempts = 0;
  return null;
end $$;
drop trigger queue_config_created_on_insert on config_items;
create trigger queue_config_created_on_insert after insert on config_items referencing new table as new_items
  for each statement execute function queue_created_configs();
