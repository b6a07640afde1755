-- An index entry holds at most 2,704 bytes, a path of some 70 ids. Of a deeper item the nearest 60 ancestors are in its
-- path, as ingestion has it; until now the database refused whatever was deeper.
create or replace function config_path_below(parent config_items) returns text language sql immutable as $$
  select case when coalesce(parent.path, '') = '' then parent.id::text
    else right(parent.path || '.' || parent.id, 60 * 37 - 1) end
$$;

-- Below an item whose path stays as it is, nothing changes. Children are looked up one parent at a time, by the index:
-- by the list, the whole table is read where its statistics are old, as they are while a first scrape stores it.
create or replace function derive_config_paths_below(top uuid) returns void language plpgsql as $$
declare
  reached uuid[] := array[top];
  level uuid[] := array[top];
begin
  loop
    with below as (
      select child.id, child.path from unnest(level) as above (id)
        cross join lateral (select item.* from config_items as item where item.id = above.id offset 0) as parent
        cross join lateral (
          select item.id, config_path_below(parent::config_items) as path
          from config_items as item where item.parent_id = above.id and item.id <> all(reached)
            and item.path is distinct from config_path_below(parent::config_items)
          offset 0
        ) as child
    ), changed as (
      update config_items as item set path = below.path from below where item.id = below.id returning item.id
    )
    select coalesce(array_agg(changed.id), '{}') into level from changed;
    exit when cardinality(level) = 0;
    reached := reached || level;
  end loop;
end $$;

-- Those that came before their parents, where their path says so.
create or replace function pass_new_config_paths_on() returns trigger language plpgsql as $$
declare
  top uuid;
begin
  for top in
    select item.id from new_items as item
    where exists (
      select from config_items as child
      where child.parent_id = item.id and child.path is distinct from config_path_below(item::config_items)
    )
  loop
    perform derive_config_paths_below(top);
  end loop;
  return null;
end $$;

create or replace function derive_all_config_paths() returns void language sql as $$
  with recursive tree as (
    select item.id, '' as path from config_items as item where item.parent_id is null
    union all
    select item.id, case when tree.path = '' then tree.id::text
      else right(tree.path || '.' || tree.id, 60 * 37 - 1) end
    from config_items as item join tree on item.parent_id = tree.id
  )
  update config_items as item set path = tree.path from tree
    where tree.id = item.id and coalesce(item.path, '') <> tree.path
$$;
