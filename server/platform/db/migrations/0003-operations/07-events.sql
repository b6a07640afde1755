-- Rows for event_queue: what notifications, playbooks and other followers of changes wake up for.

-- The same event while one still waits starts that one afresh.
create function queue_event(event text, about jsonb) returns void language sql as $$
  insert into event_queue (name, properties) values (event, about)
    on conflict (name, md5(properties::text))
    do update set created_at = now(), last_attempt = null, attempts = 0
$$;

create function queue_row_event() returns trigger language plpgsql as $$
begin
  perform queue_event(tg_argv[0], jsonb_build_object('id', new.id));
  return null;
end $$;
create trigger queue_config_created_on_insert after insert on config_items
  for each row execute function queue_row_event('config.created');
create trigger queue_config_deleted_on_update after update of deleted_at on config_items
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function queue_row_event('config.deleted');
create trigger queue_incident_created_on_insert after insert on incidents
  for each row execute function queue_row_event('incident.created');
create trigger queue_incident_responder_added_on_insert after insert on responders
  for each row execute function queue_row_event('incident.responder.added');
create trigger queue_incident_responder_removed_on_update after update of deleted_at on responders
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function queue_row_event('incident.responder.removed');
create trigger queue_incident_comment_added_on_insert after insert on comments
  for each row execute function queue_row_event('incident.comment.added');
create trigger queue_playbook_spec_approval_updated_on_update after update of spec on playbooks
  for each row when (old.spec -> 'approval' is distinct from new.spec -> 'approval') execute function queue_row_event('playbook.spec.approval.updated');
create trigger queue_incident_dod_added_on_insert after insert on evidences
  for each row when (new.definition_of_done) execute function queue_row_event('incident.dod.added');
create trigger queue_incident_dod_added_on_update after update of definition_of_done on evidences
  for each row when (new.definition_of_done and old.definition_of_done is not true) execute function queue_row_event('incident.dod.added');
create trigger queue_incident_dod_removed_on_update after update of definition_of_done on evidences
  for each row when (old.definition_of_done and new.definition_of_done is not true) execute function queue_row_event('incident.dod.removed');
create trigger queue_incident_dod_passed_on_insert after insert on evidences
  for each row when (new.done) execute function queue_row_event('incident.dod.passed');
create trigger queue_incident_dod_passed_on_update after update of done on evidences
  for each row when (new.done and old.done is not true) execute function queue_row_event('incident.dod.passed');
create trigger queue_incident_dod_regressed_on_update after update of done on evidences
  for each row when (old.done and new.done is not true) execute function queue_row_event('incident.dod.regressed');

create function queue_check_event() returns trigger language plpgsql as $$
begin
  perform queue_event(
    case new.status when 'healthy' then 'check.passed' else 'check.failed' end,
    jsonb_build_object('id', new.id, 'last_runtime', new.last_runtime)
  );
  return null;
end $$;
create trigger queue_check_event after update of status on checks
  for each row when (old.status is distinct from new.status and new.status in ('healthy', 'unhealthy'))
  execute function queue_check_event();

create function queue_health_event() returns trigger language plpgsql as $$
begin
  perform queue_event(
    tg_argv[0] || '.' || coalesce(nullif(new.health, ''), 'unknown'),
    jsonb_build_object('id', new.id, 'status', new.status, 'description', new.description)
  );
  return null;
end $$;
create trigger queue_config_health_on_insert after insert on config_items
  for each row when (new.health in ('warning', 'unhealthy')) execute function queue_health_event('config');
create trigger queue_config_health_on_update after update of health on config_items
  for each row when (coalesce(nullif(old.health, ''), 'unknown') <> coalesce(nullif(new.health, ''), 'unknown'))
  execute function queue_health_event('config');
create trigger queue_component_health after update of health on components
  for each row when (coalesce(nullif(old.health, ''), 'unknown') <> coalesce(nullif(new.health, ''), 'unknown'))
  execute function queue_health_event('component');

create function queue_config_change() returns trigger language plpgsql as $$
begin
  perform queue_event(
    case new.change_type when 'diff' then 'config.updated' else 'config.changed' end,
    jsonb_build_object('id', new.config_id, 'change_id', new.id)
  );
  return null;
end $$;
create trigger queue_config_change_on_insert after insert on config_changes
  for each row execute function queue_config_change();
-- That the row was sent to another server is no news.
create trigger queue_config_change_on_update after update on config_changes
  for each row when (old.is_pushed or not new.is_pushed) execute function queue_config_change();

create function queue_incident_status() returns trigger language plpgsql as $$
begin
  perform queue_event('incident.status.' || new.status, jsonb_build_object('id', new.id));
  return null;
end $$;
create trigger queue_incident_status after update of status on incidents
  for each row when (old.status is distinct from new.status) execute function queue_incident_status();

create function queue_approval() returns trigger language plpgsql as $$
begin
  perform queue_event('playbook.approval.inserted', jsonb_build_object('id', new.id, 'run_id', new.run_id));
  return null;
end $$;
create trigger queue_approval after insert on playbook_approvals
  for each row execute function queue_approval();
