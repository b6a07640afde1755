-- Components and what is linked to them, looked up from either side (schema §2). Only live links count.

create function lookup_configs_by_component(id text)
  returns table (config_id uuid, name text, type text, icon text, role text, deleted_at timestamptz)
  language sql stable as $$
  select item.id, item.name, item.config_class, item.icon, 'left', item.deleted_at
  from config_component_relationships as link join config_items as item on item.id = link.config_id
  where link.component_id = lookup_configs_by_component.id::uuid and link.deleted_at is null
$$;

create function lookup_changes_by_component(id text) returns setof config_changes language sql stable as $$
  select change.* from config_component_relationships as link
  join config_changes as change on change.config_id = link.config_id
  where link.component_id = lookup_changes_by_component.id::uuid and link.deleted_at is null
$$;

create function lookup_analysis_by_component(id text) returns setof config_analysis language sql stable as $$
  select finding.* from config_component_relationships as link
  join config_analysis as finding on finding.config_id = link.config_id
  where link.component_id = lookup_analysis_by_component.id::uuid and link.deleted_at is null
$$;

create function lookup_components_by_config(id text)
  returns table (component_id uuid, name text, type text, icon text, role text) language sql stable as $$
  select component.id, component.name, component.type, component.icon, 'left'
  from config_component_relationships as link join components as component on component.id = link.component_id
  where link.config_id = lookup_components_by_config.id::uuid and link.deleted_at is null
    and component.deleted_at is null
$$;

create function lookup_components_by_check(id uuid) returns setof components language sql stable as $$
  select component.* from components as component
  where component.deleted_at is null and component.id in (
    select link.component_id from check_component_relationships as link
    where link.check_id = lookup_components_by_check.id and link.deleted_at is null
  )
$$;

create function lookup_component_by_property(name text, text text) returns setof components language sql stable as $$
  select component.* from components as component
  where component.deleted_at is null and component.properties @> jsonb_build_array(jsonb_build_object(
    'name', lookup_component_by_property.name, 'text', lookup_component_by_property.text))
$$;

create function lookup_component_children(id text, max_depth integer default -1)
  returns table (child_id uuid, parent_id uuid, level integer) language sql stable as $$
  with recursive tree as (
    select component.id as child_id, component.parent_id, 0 as level
    from components as component where component.id = lookup_component_children.id::uuid
    union all
    select component.id, component.parent_id, tree.level + 1
    from components as component join tree on component.parent_id = tree.child_id
    where tree.level < case when max_depth < 0 then 10 else max_depth end
  ) cycle child_id set is_cycle using trail
  select tree.child_id, tree.parent_id, tree.level from tree where not is_cycle order by tree.level, tree.child_id
$$;

create function lookup_component_relations(component_id text) returns table (id uuid) language sql stable as $$
  select link.relationship_id from component_relationships as link
    where link.component_id = lookup_component_relations.component_id::uuid and link.deleted_at is null
  union
  select link.component_id from component_relationships as link
    where link.relationship_id = lookup_component_relations.component_id::uuid and link.deleted_at is null
$$;

create function lookup_component_incidents(component_id text) returns table (id uuid) language sql stable as $$
  select distinct hypotheses.incident_id from evidences
  join hypotheses on hypotheses.id = evidences.hypothesis_id
  where evidences.component_id = lookup_component_incidents.component_id::uuid
$$;

create function lookup_component_names(component_id uuid[]) returns table (names text[]) language sql stable as $$
  select array_agg(component.name order by wanted.place)
  from unnest(component_id) with ordinality as wanted (id, place)
  join components as component on component.id = wanted.id
$$;

-- Components whose item is the component's item or lies under it.
create function lookup_component_config_id_related_components(component_id text)
  returns table (id uuid) language sql stable as $$
  with top as (
    select item.id, concat_ws('.', nullif(item.path, ''), item.id::text) as path
    from components as component join config_items as item on item.id = component.config_id
    where component.id = lookup_component_config_id_related_components.component_id::uuid
  )
  select component.id from top
  join config_items as item on item.id = top.id or item.path = top.path or item.path like top.path || '.%'
  join components as component on component.config_id = item.id
  where component.deleted_at is null
$$;
