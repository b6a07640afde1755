-- What the topology engine needs: what a component says of itself beside what was rolled up over it, components in the
-- change feed with everything that cards and the roll-up on a device read, and when and from which file a topology is
-- built.

-- components.status and components.health are what the roll-up found (schema §6.5). What the component itself says
-- stands here, or a roll-up over its own result could never get better again.
create table component_own_states (
  component_id uuid primary key references components (id) on delete cascade,
  status text not null,
  health text
);
comment on table component_own_states is 'internal: what components say of themselves, before the roll-up';
insert into component_own_states (component_id, status, health) select id, status, health from components;

-- Whoever writes a state says what the component is; the roll-up alone, which says so, writes what it found.
create function note_own_state() returns trigger language plpgsql as $$
begin
  if current_setting('holdfast.roll_up', true) = 'on' then return null; end if;
  if tg_op = 'INSERT' then
    insert into component_own_states (component_id, status, health) values (new.id, new.status, new.health)
      on conflict (component_id) do update set status = excluded.status, health = excluded.health;
    return null;
  end if;
  insert into component_own_states as own (component_id, status, health) values (new.id, new.status, new.health)
    on conflict (component_id) do update set
      status = case when new.status is distinct from old.status then new.status else own.status end,
      health = case when new.health is distinct from old.health then new.health else own.health end;
  return null;
end $$;
create trigger note_own_state_of_new after insert on components
  for each row execute function note_own_state();
create trigger note_own_state after update of status, health on components
  for each row when (old.status is distinct from new.status or old.health is distinct from new.health)
  execute function note_own_state();

-- For rows that came in past the triggers.
create function note_missing_own_states() returns void language sql as $$
  insert into component_own_states (component_id, status, health)
    select id, status, health from components
    where not exists (select from component_own_states as own where own.component_id = components.id)
$$;

-- As components are rolled up: what they say of themselves, and where an expression decides, what it said last.
create view components_as_rolled_up as
  select topology.*,
    case when coalesce(topology.status_expr, '') = '' then coalesce(own.status, topology.status) else topology.status end as own_status,
    case when coalesce(topology.health_expr, '') = '' then
      case when own.component_id is null then topology.health else own.health end
    else topology.health end as own_health
  from topology left join component_own_states as own on own.component_id = topology.id;
comment on view components_as_rolled_up is 'internal: components with what they say of themselves';

drop view feed_components;
create view feed_components as
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
    ) as config_ids
  from components_as_rolled_up as component;

-- What hangs on a component is in its row: the row changes with it.
create function note_linked_component() returns trigger language plpgsql as $$
declare
  fields jsonb;
begin
  if tg_op = 'DELETE' then fields := to_jsonb(old); else fields := to_jsonb(new); end if;
  perform log_change('components', fields ->> tg_argv[0], false);
  return null;
end $$;

create constraint trigger note_component after insert or delete on component_relationships
  deferrable initially deferred for each row execute function note_linked_component('relationship_id');
create constraint trigger note_component_change after update on component_relationships
  deferrable initially deferred for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function note_linked_component('relationship_id');
create constraint trigger note_component after insert or delete on check_component_relationships
  deferrable initially deferred for each row execute function note_linked_component('component_id');
create constraint trigger note_component_change after update on check_component_relationships
  deferrable initially deferred for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function note_linked_component('component_id');
create constraint trigger note_component after insert or delete on config_component_relationships
  deferrable initially deferred for each row execute function note_linked_component('component_id');
create constraint trigger note_component_change after update on config_component_relationships
  deferrable initially deferred for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function note_linked_component('component_id');
create constraint trigger note_component after insert or update or delete on team_components
  deferrable initially deferred for each row execute function note_linked_component('component_id');
create constraint trigger note_component after update on component_own_states
  deferrable initially deferred for each row when (old is distinct from new)
  execute function note_linked_component('component_id');

create function note_components_of_check() returns trigger language plpgsql as $$
begin
  perform log_change('components', link.component_id::text, false)
    from check_component_relationships as link where link.check_id = new.id and link.deleted_at is null;
  return null;
end $$;
create constraint trigger note_components after update on checks deferrable initially deferred for each row
  when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at)
  execute function note_components_of_check();

create function note_components_of_config() returns trigger language plpgsql as $$
declare
  config uuid;
begin
  if tg_op = 'DELETE' then config := old.config_id; else config := new.config_id; end if;
  perform log_change('components', link.component_id::text, false)
    from config_component_relationships as link where link.config_id = config and link.deleted_at is null;
  return null;
end $$;
create constraint trigger note_components after insert or delete on config_analysis
  deferrable initially deferred for each row execute function note_components_of_config();
create constraint trigger note_components_change after update on config_analysis
  deferrable initially deferred for each row when (old.analysis_type is distinct from new.analysis_type
    or old.severity is distinct from new.severity or old.config_id is distinct from new.config_id)
  execute function note_components_of_config();

create function note_components_of_incident() returns trigger language plpgsql as $$
begin
  perform log_change('components', evidences.component_id::text, false)
    from hypotheses join evidences on evidences.hypothesis_id = hypotheses.id
    where hypotheses.incident_id = new.id and evidences.component_id is not null;
  return null;
end $$;
create constraint trigger note_components after update on incidents deferrable initially deferred for each row
  when (old.resolved is distinct from new.resolved or old.closed is distinct from new.closed
    or old.type is distinct from new.type or old.severity is distinct from new.severity)
  execute function note_components_of_incident();

create function note_component_of_evidence() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.component_id is not null then
    perform log_change('components', old.component_id::text, false);
  end if;
  if tg_op <> 'DELETE' and new.component_id is not null then
    perform log_change('components', new.component_id::text, false);
  end if;
  return null;
end $$;
create constraint trigger note_component after insert or delete on evidences
  deferrable initially deferred for each row execute function note_component_of_evidence();
create constraint trigger note_component_change after update on evidences deferrable initially deferred for each row
  when (old.component_id is distinct from new.component_id) execute function note_component_of_evidence();

create function note_components_of_team() returns trigger language plpgsql as $$
begin
  perform log_change('components', component_id::text, false) from team_components where team_id = new.id;
  return null;
end $$;
create constraint trigger note_components after update on teams deferrable initially deferred for each row
  when (old.name is distinct from new.name or old.deleted_at is distinct from new.deleted_at)
  execute function note_components_of_team();

-- Devices that replicated before have not heard of these columns.
select log_change('components', id::text, false) from components where deleted_at is null;

-- When a topology was built last, and which file of this server's it came from. Neither replicated nor exported.
create table topology_runs (
  topology_id uuid primary key references topologies (id) on delete cascade,
  started_at timestamptz not null
);
comment on table topology_runs is 'internal: when topologies were built last';
create table topology_files (
  topology_id uuid primary key references topologies (id) on delete cascade,
  file text not null
);
create index topology_files_file_idx on topology_files (file);
comment on table topology_files is 'internal: where a topology came from';

-- Lookups read mounted secrets as checks do: only for somebody who may grant it (migration 0020).
create trigger note_grant after insert or update of spec on topologies
  for each row execute function note_grant();
create trigger forget_grant after delete on topologies for each row execute function note_grant();

-- A topology that is taken away takes what it built along.
create function delete_with_topology() returns trigger language plpgsql as $$
begin
  update components set deleted_at = new.deleted_at where topology_id = new.id and deleted_at is null;
  update canaries set deleted_at = new.deleted_at where deleted_at is null and source in (
    select 'component/' || id from components where topology_id = new.id);
  return null;
end $$;
create trigger delete_with_topology after update of deleted_at on topologies
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_with_topology();
