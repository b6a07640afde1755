-- What happens by itself when rows of teams, the catalog, connections and notifications change.
create trigger touch_updated_at before update on teams
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on connections
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on logging_backends
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on integrations
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on saved_query
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on config_relationships
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on component_relationships
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on incident_rules
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on incidents
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on responders
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on hypotheses
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on evidences
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on comments
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on comment_responders
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on incident_histories
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on incident_relationships
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on playbooks
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on permissions
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on artifacts
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on notifications
  for each row execute function touch_updated_at();
create trigger touch_updated_at before update on notification_silences
  for each row execute function touch_updated_at();
create trigger reset_is_pushed before update on config_changes
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on config_analysis
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on config_relationships
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on component_relationships
  for each row execute function reset_is_pushed();
create trigger reset_is_pushed before update on artifacts
  for each row execute function reset_is_pushed();

create function unlink_deleted_team() returns trigger language plpgsql as $$
begin
  delete from team_components where team_id = new.id;
  return null;
end $$;
create trigger unlink_deleted_team after update of deleted_at on teams
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function unlink_deleted_team();

create function clear_errors_of_team() returns trigger language plpgsql as $$
begin
  update notifications set error = null where team_id = new.id and error is not null;
  return null;
end $$;
create trigger clear_errors_of_team after update of spec on teams
  for each row when (old.spec is distinct from new.spec) execute function clear_errors_of_team();

-- An error that comes with the very change is news, not leftover.
create function clear_notification_error() returns trigger language plpgsql as $$
begin
  if new.error is not distinct from old.error then
    new.error := null;
  end if;
  return new;
end $$;
create trigger clear_notification_error before update on notifications
  for each row when (
    old.filter is distinct from new.filter
    or old.custom_services is distinct from new.custom_services
    or old.team_id is distinct from new.team_id
  ) execute function clear_notification_error();

-- Whoever edits a connection is shown stars in place of its secrets and sends them back. Named to run before
-- touch_updated_at, so that nothing but stars is no change.
create function keep_masked_secrets() returns trigger language plpgsql as $$
begin
  if new.username = '***' then new.username := old.username; end if;
  if new.password = '***' then new.password := old.password; end if;
  if new.certificate = '***' then new.certificate := old.certificate; end if;
  return new;
end $$;
create trigger keep_masked_secrets before update on connections
  for each row execute function keep_masked_secrets();

create function delete_backends_with_agent() returns trigger language plpgsql as $$
begin
  update logging_backends set deleted_at = new.deleted_at where agent_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger delete_backends_with_agent after update of deleted_at on agents
  for each row when (old.deleted_at is null and new.deleted_at is not null and new.cleanup)
  execute function delete_backends_with_agent();

create function unlink_deleted_component() returns trigger language plpgsql as $$
begin
  delete from team_components where component_id = new.id;
  update component_relationships set deleted_at = new.deleted_at
    where (component_id = new.id or relationship_id = new.id) and deleted_at is null;
  return null;
end $$;
create trigger unlink_deleted_component after update of deleted_at on components
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function unlink_deleted_component();

create function link_config_parent() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.parent_id is not null then
    delete from config_relationships
      where config_id = old.parent_id and related_id = new.id and relation = 'hard';
  end if;
  if new.parent_id is not null then
    insert into config_relationships (config_id, related_id, relation) values (new.parent_id, new.id, 'hard')
      on conflict (related_id, config_id, relation) do update set deleted_at = null;
  end if;
  return null;
end $$;
create trigger link_config_parent_on_insert after insert on config_items
  for each row when (new.parent_id is not null) execute function link_config_parent();
create trigger link_config_parent_on_update after update of parent_id on config_items
  for each row when (old.parent_id is distinct from new.parent_id) execute function link_config_parent();

-- A change that is reported again updates its row. The insert then answers no row; a scraper or an agent that
-- reports doesn't read it.
create function merge_config_change() returns trigger language plpgsql as $$
declare
  known config_changes;
  is_same_id boolean;
begin
  select * into known from config_changes
    where id = new.id
      or (config_id = new.config_id and external_change_id = new.external_change_id)
    order by id = new.id desc
    limit 1
    for update;
  if not found then
    return new;
  end if;
  is_same_id := known.id = new.id;
  update config_changes set
    config_id = new.config_id,
    external_change_id = new.external_change_id,
    external_created_by = new.external_created_by,
    change_type = new.change_type,
    severity = new.severity,
    source = new.source,
    summary = new.summary,
    patches = new.patches,
    diff = new.diff,
    details = new.details,
    created_by = new.created_by,
    created_at = new.created_at,
    count = case
      when is_same_id then greatest(known.count, new.count)
      when known.details is distinct from new.details or known.created_at <> new.created_at then known.count + 1
      else known.count
    end,
    fingerprint = new.fingerprint,
    first_observed = least(known.first_observed, new.first_observed),
    is_pushed = new.is_pushed
    where id = known.id;
  return null;
end $$;
create trigger merge_config_change before insert on config_changes
  for each row execute function merge_config_change();

-- Only for updates from outside: the merge above has counted already.
create function keep_config_change_count() returns trigger language plpgsql as $$
begin
  new.count := old.count;
  new.created_at := old.created_at;
  return new;
end $$;
create trigger keep_config_change_count before update on config_changes
  for each row when (
    pg_trigger_depth() = 0
    and old.details is not distinct from new.details
    and old.diff is not distinct from new.diff
  ) execute function keep_config_change_count();
