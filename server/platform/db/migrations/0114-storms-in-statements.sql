-- What a statement changed is entered into the change log together (docs/decisions/0089): an entry for each of 10,000
-- checks by a trigger of its own took longer than all else that the statement did. The law of the log stays: numbers
-- are drawn at commit, under the lock (0004). A statement can't wait for the commit by itself, so it leaves a row here,
-- whose own trigger waits; no commit leaves one behind.
create unlogged table change_log_pending (
  id bigint generated always as identity primary key,
  collection text not null,
  entities uuid[] not null,
  is_minor boolean not null
);
comment on table change_log_pending is 'internal: what a statement of this transaction changed, until it is in the change log';

create function log_changes_later(kind text, changed uuid[], minor boolean) returns void language sql as $$
  insert into change_log_pending (collection, entities, is_minor)
    select kind, changed, minor where cardinality(changed) > 0
$$;

-- As log_change does for one.
create function log_pending_changes() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7105334022);
  insert into change_log as log (collection, entity_id, seq, is_minor, major_at)
    select new.collection, entity::text, nextval('change_log_number'), new.is_minor,
      case when not new.is_minor then clock_timestamp() end
    from unnest(new.entities) as entity
    on conflict (collection, entity_id) do update set
      seq = excluded.seq,
      is_minor = excluded.is_minor
        and (log.major_at is null or log.major_at < clock_timestamp() - interval '5 seconds'),
      major_at = coalesce(excluded.major_at, log.major_at),
      changed_at = excluded.changed_at;
  delete from change_log_pending where id = new.id;
  return null;
end $$;
create constraint trigger log_pending_changes after insert on change_log_pending
  deferrable initially deferred for each row execute function log_pending_changes();

-- Checks: their own entries, those of the components that they belong to, whose incidents have to be looked at, and
-- whose acknowledgements end. A check whose status changed is no minor change, whatever its other columns say.
drop trigger note_change on checks;
create constraint trigger note_change after insert or delete on checks
  deferrable initially deferred for each row execute function note_check_change();
drop trigger note_components on checks;
drop function note_components_of_check();
drop trigger wake_incidents_on_update on checks;
drop trigger end_acknowledgements on checks;

-- No loops within loops, as in queue_check_events (0108): the plan may have been made for a statement of a single row.
create function note_changed_checks() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  running constant text[] := '{last_runtime,next_runtime,updated_at,is_pushed}';
  major uuid[];
  minor uuid[];
  turned uuid[];
  well uuid[];
  gone uuid[];
begin
  select array_agg(id) filter (where not is_minor), array_agg(id) filter (where is_minor),
    array_agg(id) filter (where has_turned), array_agg(id) filter (where is_well),
    array_agg(id) filter (where is_gone)
  into major, minor, turned, well, gone
  from (
    select this.id,
      was.status is distinct from this.status or was.deleted_at is distinct from this.deleted_at as has_turned,
      case when was.status is distinct from this.status then false
        else to_jsonb(was) - running = to_jsonb(this) - running end as is_minor,
      this.status = 'healthy' and was.status is distinct from this.status as is_well,
      this.deleted_at is not null and was.deleted_at is null as is_gone
    from after as this join before as was on was.id = this.id
  ) as changed;
  perform log_changes_later('checks', major, false);
  perform log_changes_later('checks', minor, true);
  if turned is null then return null; end if;
  perform log_changes_later('components', (
    select array_agg(distinct link.component_id) from check_component_relationships as link
      where link.check_id = any(turned) and link.deleted_at is null), false);
  -- Most subjects are of no interest to anybody's incident: they cost one look and no row.
  if exists (select from incident_rules where deleted_at is null) then
    insert into incident_wakes (kind, subject_id) select 'check', unnest(turned) on conflict do nothing;
  else
    insert into incident_wakes (kind, subject_id)
      select distinct 'check', check_id from evidences where check_id = any(turned) and script is not null
      on conflict do nothing;
  end if;
  -- What is well again or gone needs no acknowledgement; a snooze holds until its end, unless the thing is gone (0051).
  update acknowledgements set ended_at = now(), end_reason = case when resource_id = any(gone) then 'gone' else 'well' end
    where ended_at is null
      and (resource_id = any(gone) or resource_id = any(well) and until is null);
  return null;
end $$;
create trigger note_changed_checks after update on checks
  referencing old table as before new table as after
  for each statement execute function note_changed_checks();

-- The figures of checks, each time that results are stored.
drop trigger note_change on check_status_summary;
drop function note_check_summary();
create function note_check_summaries() returns trigger language plpgsql as $$
begin
  perform log_changes_later('checks', (select array_agg(check_id) from after), true);
  return null;
end $$;
create trigger note_new after insert on check_status_summary
  referencing new table as after for each statement execute function note_check_summaries();
create trigger note_change after update on check_status_summary
  referencing new table as after for each statement execute function note_check_summaries();

-- What was sent: a row for each thing of a storm.
drop trigger note_new on notification_send_history;
drop trigger note_change on notification_send_history;
create constraint trigger note_gone after delete on notification_send_history
  deferrable initially deferred for each row execute function note_change('notification_history', 'id');
create function note_new_history() returns trigger language plpgsql as $$
begin
  perform log_changes_later('notification_history', (select array_agg(id) from after), false);
  return null;
end $$;
create trigger note_new after insert on notification_send_history
  referencing new table as after for each statement execute function note_new_history();
create function note_changed_history() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  perform log_changes_later('notification_history', (
    select array_agg(this.id) from after as this join before as was on was.id = this.id where was is distinct from this
  ), false);
  return null;
end $$;
create trigger note_change after update on notification_send_history
  referencing old table as before new table as after
  for each statement execute function note_changed_history();
