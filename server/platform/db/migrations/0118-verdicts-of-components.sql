-- What a component says of itself and what its expressions came to last are two things. Until now the second stood in the
-- place of the first where an expression is set, so a roll-up counted its own last result. Both are given now, each in
-- columns of its own; devices, which evaluate no expressions, read the verdict.
create or replace view components_as_rolled_up as
  select topology.*,
    coalesce(own.status, topology.status) as own_status,
    case when own.component_id is null then topology.health else own.health end as own_health,
    own.summary as own_summary,
    own."order",
    case when coalesce(topology.status_expr, '') <> '' then topology.status end as judged_status,
    case when coalesce(topology.health_expr, '') <> '' then topology.health end as judged_health
  from topology left join component_own_states as own on own.component_id = topology.id;

create or replace view feed_components as
  select id, topology_id, external_id, parent_id, config_id, name, text, topology_type, namespace, labels, hidden,
    silenced, own_status as status, own_health as health, status_expr, health_expr, description, lifecycle, tooltip,
    status_reason, schedule, icon, type, owner, properties, path, summary, is_leaf, cost_per_minute, cost_total_1d,
    cost_total_7d, cost_total_30d, agent_id, created_at, updated_at, logs, checks, incidents, analysis, team_names,
    children,
    (
      select array_agg(link.check_id order by link.check_id)
      from check_component_relationships as link join checks on checks.id = link.check_id
      where link.component_id = component.id and link.deleted_at is null and checks.deleted_at is null
    ) as check_ids,
    (
      select array_agg(link.config_id order by link.config_id) from config_component_relationships as link
      where link.component_id = component.id and link.deleted_at is null
    ) as config_ids,
    own_summary,
    "order",
    judged_status,
    judged_health
  from components_as_rolled_up as component;

-- Devices that replicated before have these rows in the old form.
select log_change('components', id::text, false) from components
  where deleted_at is null and (coalesce(status_expr, '') <> '' or coalesce(health_expr, '') <> '');
