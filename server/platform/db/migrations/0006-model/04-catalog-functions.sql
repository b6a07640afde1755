-- How config items hang together (schema §2). A walk goes breadth first and looks at each item once, so cycles end
-- and a dense graph costs no more than its links. Only live links count; items that are gone are dropped from what
-- is shown, not from the way.

create function walk_outgoing(start uuid, max_depth integer, relation_filter text)
  returns table (id uuid, related_id uuid, relation_type text, depth integer) language plpgsql stable as $$
declare
  frontier uuid[] := array[start];
  seen uuid[] := array[start];
  reached uuid[];
  level integer := 1;
begin
  while level <= max_depth and cardinality(frontier) > 0 loop
    return query
      select link.config_id, link.related_id, link.relation, level
      from config_relationships as link
      where link.config_id = any(frontier) and link.deleted_at is null
        and (relation_filter <> 'hard' or link.relation = 'hard');
    select coalesce(array_agg(met.id), '{}') into reached from (
      select link.related_id as id from config_relationships as link
        where link.config_id = any(frontier) and link.deleted_at is null
          and (relation_filter <> 'hard' or link.relation = 'hard')
      except select known from unnest(seen) as known
    ) as met;
    seen := seen || reached;
    frontier := reached;
    level := level + 1;
  end loop;
end $$;

create function walk_incoming(start uuid, max_depth integer, relation_filter text)
  returns table (id uuid, related_id uuid, relation_type text, depth integer) language plpgsql stable as $$
declare
  frontier uuid[] := array[start];
  seen uuid[] := array[start];
  reached uuid[];
  level integer := 1;
begin
  while level <= max_depth and cardinality(frontier) > 0 loop
    return query
      select link.config_id, link.related_id, link.relation, level
      from config_relationships as link
      where link.related_id = any(frontier) and link.deleted_at is null
        and (relation_filter <> 'hard' or link.relation = 'hard');
    select coalesce(array_agg(met.id), '{}') into reached from (
      select link.config_id as id from config_relationships as link
        where link.related_id = any(frontier) and link.deleted_at is null
          and (relation_filter <> 'hard' or link.relation = 'hard')
      except select known from unnest(seen) as known
    ) as met;
    seen := seen || reached;
    frontier := reached;
    level := level + 1;
  end loop;
end $$;

create function config_relationships_recursive(config_id uuid, type_filter text default 'outgoing', max_depth integer default 5,
    incoming_relation text default 'both', outgoing_relation text default 'both')
  returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
  language plpgsql stable as $$
begin
  if coalesce(type_filter, '') not in ('', 'all', 'incoming', 'outgoing') then
    raise exception 'type_filter must be incoming, outgoing or all, not %', type_filter
      using errcode = 'invalid_parameter_value';
  end if;
  if type_filter is distinct from 'incoming' then
    return query select step.id, step.related_id, step.relation_type, 'outgoing', step.depth
      from walk_outgoing(config_id, max_depth, outgoing_relation) as step;
  end if;
  if type_filter is distinct from 'outgoing' then
    return query select step.id, step.related_id, step.relation_type, 'incoming', step.depth
      from walk_incoming(config_id, max_depth, incoming_relation) as step;
  end if;
end $$;

-- From the item to the root, by its path: the nearest ancestor first.
create function get_recursive_path(start uuid)
  returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
  language sql stable as $$
  with chain as (
    select ancestor.id::uuid as id, ancestor.place
    from config_items as item,
      unnest(string_to_array(nullif(item.path, ''), '.')) with ordinality as ancestor (id, place)
    where item.id = get_recursive_path.start
    union all select get_recursive_path.start, 1000000
  )
  select step.id, step.related_id, 'parent', 'incoming', step.depth
  from (
    select lag(chain.id) over nearest as id, chain.id as related_id, (row_number() over nearest)::integer - 1 as depth
    from chain
    window nearest as (order by chain.place desc)
  ) as step
  where step.id is not null
  order by step.depth
$$;

create function related_config_ids_recursive(config_id uuid, type_filter text default 'outgoing', max_depth integer default 5,
    incoming_relation text default 'both', outgoing_relation text default 'both')
  returns table (id uuid, direction text, depth integer) language sql stable as $$
  select met.id, met.direction, min(met.depth)
  from (
    select case step.direction when 'outgoing' then step.related_id else step.id end as id, step.direction, step.depth
    from config_relationships_recursive(config_id, type_filter, max_depth, incoming_relation, outgoing_relation) as step
  ) as met
  where met.id <> related_config_ids_recursive.config_id
  group by met.id, met.direction
$$;

-- From the root to the item itself, by parent_id.
create function config_path(config_id uuid) returns text language sql stable as $$
  with recursive chain as (
    select item.id, item.parent_id, 1 as level from config_items as item where item.id = config_path.config_id
    union all
    select item.id, item.parent_id, chain.level + 1
    from config_items as item join chain on item.id = chain.parent_id
  ) cycle id set is_cycle using trail
  select string_agg(id::text, '.' order by level desc) from chain where not is_cycle
$$;

create function lookup_config_children(id text, max_depth integer default -1)
  returns table (child_id uuid, parent_id uuid, level integer) language sql stable as $$
  with recursive tree as (
    select item.id as child_id, item.parent_id, 0 as level
    from config_items as item where item.id = lookup_config_children.id::uuid
    union all
    select item.id, item.parent_id, tree.level + 1
    from config_items as item join tree on item.parent_id = tree.child_id
    where tree.level < case when max_depth < 0 then 10 else max_depth end
  ) cycle child_id set is_cycle using trail
  select tree.child_id, tree.parent_id, tree.level from tree where not is_cycle order by tree.level, tree.child_id
$$;

create function lookup_config_relations(config_id text) returns table (id uuid) language sql stable as $$
  select link.related_id from config_relationships as link
    where link.config_id = lookup_config_relations.config_id::uuid and link.deleted_at is null
  union
  select link.config_id from config_relationships as link
    where link.related_id = lookup_config_relations.config_id::uuid and link.deleted_at is null
$$;

create function related_configs_recursive(config_id uuid, type_filter text default 'outgoing',
    include_deleted_configs boolean default false, max_depth integer default 5,
    incoming_relation text default 'both', outgoing_relation text default 'both')
  returns table (id uuid, name text, type text, related_ids text[], tags jsonb, changes bigint, analysis jsonb,
    cost_per_minute numeric, cost_total_1d numeric, cost_total_7d numeric, cost_total_30d numeric,
    created_at timestamptz, updated_at timestamptz, deleted_at timestamptz, agent_id uuid, health text, ready boolean, status text,
    path text)
  language sql stable as $$
  with edges as materialized (
    select step.id, step.related_id, step.depth
    from config_relationships_recursive(config_id, type_filter, max_depth, incoming_relation, outgoing_relation) as step
    union all
    select step.id, step.related_id, step.depth from get_recursive_path(config_id) as step
  ), met as (
    select ends.id, min(ends.depth) as depth from (
      select edges.id, edges.depth from edges
      union all select edges.related_id, edges.depth from edges
      union all select related_configs_recursive.config_id, 0
    ) as ends
    group by ends.id
  ), targets as (
    select edges.id, array_agg(distinct edges.related_id)::text[] as ids from edges group by edges.id
  )
  select configs.id, configs.name, configs.type, targets.ids, configs.tags, configs.changes, configs.analysis,
    configs.cost_per_minute, configs.cost_total_1d, configs.cost_total_7d, configs.cost_total_30d,
    configs.created_at, configs.updated_at, configs.deleted_at, configs.agent_id, configs.health, configs.ready,
    configs.status, configs.path
  from met
  join configs on configs.id = met.id
  left join targets on targets.id = met.id
  where include_deleted_configs or configs.deleted_at is null
  order by met.depth, configs.name, configs.id
$$;

create function related_configs(config_id uuid, type_filter text default 'all',
    include_deleted_configs boolean default false)
  returns table (id uuid, name text, type text, related_ids text[], tags jsonb, changes bigint, analysis jsonb,
    cost_per_minute numeric, cost_total_1d numeric, cost_total_7d numeric, cost_total_30d numeric,
    created_at timestamptz, updated_at timestamptz, agent_id uuid, health text, ready boolean, status text, path text)
  language sql stable as $$
  select near.id, near.name, near.type, near.related_ids, near.tags, near.changes, near.analysis,
    near.cost_per_minute, near.cost_total_1d, near.cost_total_7d, near.cost_total_30d,
    near.created_at, near.updated_at, near.agent_id, near.health, near.ready, near.status, near.path
  from related_configs_recursive(config_id, type_filter, include_deleted_configs, 1) as near
$$;

-- Changes of the item and of its relatives. soft: null walks every relation; false walks hard ones only; true adds
-- what is linked to the item itself by any other relation. 'all' always walks every relation.
create function related_changes_recursive(lookup_id uuid, type_filter text default 'downstream',
    include_deleted_configs boolean default false, max_depth integer default 5, soft boolean default null)
  returns setof catalog_changes language plpgsql stable as $$
declare
  relation text := case when soft is null or type_filter = 'all' then 'both' else 'hard' end;
  toward text := case type_filter when 'upstream' then 'incoming' when 'downstream' then 'outgoing' else 'all' end;
  wanted uuid[] := array[lookup_id];
begin
  if coalesce(type_filter, '') not in ('', 'none', 'upstream', 'downstream', 'all') then
    raise exception 'type_filter must be none, upstream, downstream or all, not %', type_filter
      using errcode = 'invalid_parameter_value';
  end if;
  if coalesce(type_filter, '') not in ('', 'none') then
    wanted := wanted || array(
      select met.id from related_config_ids_recursive(lookup_id, toward, max_depth, relation, relation) as met);
    if soft then
      wanted := wanted || array(
        select case link.config_id when lookup_id then link.related_id else link.config_id end
        from config_relationships as link
        where (link.config_id = lookup_id or link.related_id = lookup_id)
          and link.relation is distinct from 'hard' and link.deleted_at is null);
    end if;
  end if;
  return query
    select change.* from catalog_changes as change
    join config_items as item on item.id = change.config_id
    where change.config_id = any(wanted)
      and (include_deleted_configs or item.deleted_at is null or item.id = lookup_id);
end $$;

-- Needs the catalog's functions.

create view config_detail as
  select config_items.*,
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
        select count(*) from config_changes as change
        where change.created_at > now() - interval '2 days' and change.config_id in (
          select config_items.id union all select met.id from related_config_ids_recursive(config_items.id) as met
        )
      ),
      'playbook_runs', (
        select count(*) from playbook_runs as run
        where run.config_id = config_items.id and run.start_time > now() - interval '30 days'
      ),
      'checks', (
        select count(*) from check_config_relationships as link
        where link.config_id = config_items.id and link.deleted_at is null
      )
    ) as summary,
    (
      select jsonb_agg(to_jsonb(components) order by components.name, components.id)
      from config_component_relationships as link join components on components.id = link.component_id
      where link.config_id = config_items.id and link.deleted_at is null and components.deleted_at is null
    ) as components
  from config_items;
create index playbook_runs_config_id_idx on playbook_runs (config_id) where config_id is not null;
create index playbook_runs_component_id_idx on playbook_runs (component_id) where component_id is not null;
create index playbook_runs_check_id_idx on playbook_runs (check_id) where check_id is not null;
