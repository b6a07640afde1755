-- The place that a document gives a component among those beside it (schema §6.1, `order`). The table of components has no
-- such column (schema §1.1): it stands with what else a component says of itself, and answers and devices get it.
alter table component_own_states add column "order" integer;

create or replace view components_as_rolled_up as
  select topology.*,
    case when coalesce(topology.status_expr, '') = '' then coalesce(own.status, topology.status) else topology.status end as own_status,
    case when coalesce(topology.health_expr, '') = '' then
      case when own.component_id is null then topology.health else own.health end
    else topology.health end as own_health,
    own.summary as own_summary,
    own."order"
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
    "order"
  from components_as_rolled_up as component;
