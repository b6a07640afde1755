-- What incident rules and definitions of done remember between their rounds (schema §8.2): which subject a rule
-- watches and which incident it has for it, how a definition of done stood when it was last acted on, what changed
-- and is to be looked at soon, and which server looks now. None of it is replicated; the last two are of this place
-- and moment and don't travel with a data set, either.

create table incident_rule_subjects (
  id uuid primary key default generate_ulid(),
  rule_id uuid not null references incident_rules (id) on delete cascade,
  kind text not null check (kind in ('component', 'check', 'config')),
  subject_id uuid not null,
  -- Null while the subject is only watched: it is not unhealthy for long enough yet.
  incident_id uuid references incidents (id) on delete cascade,
  matching_since timestamptz not null,
  healthy_since timestamptz,
  -- It was healthy since it last matched: matching again is a relapse.
  has_recovered boolean not null default false,
  -- The rule's present incident for the subject; at most one.
  is_current boolean not null default true,
  due_at timestamptz,
  constraint incident_rule_subjects_incident_id_key unique (incident_id)
);
create unique index incident_rule_subjects_current_key on incident_rule_subjects (rule_id, kind, subject_id)
  where is_current;
create index incident_rule_subjects_subject_id_idx on incident_rule_subjects (subject_id);
create index incident_rule_subjects_due_at_idx on incident_rule_subjects (due_at) where is_current;
comment on table incident_rule_subjects is 'internal: what rules watch';
create index incidents_incident_rule_id_idx on incidents (incident_rule_id) where incident_rule_id is not null;

create table incident_done_states (
  incident_id uuid primary key references incidents (id) on delete cascade,
  is_done boolean not null,
  done_ids uuid[] not null
);
comment on table incident_done_states is 'internal: how a definition of done stood when it was last acted on';

create table incident_wakes (
  kind text not null check (kind in ('check', 'component', 'config', 'analysis', 'incident', 'rule')),
  subject_id uuid not null,
  at timestamptz not null default now(),
  primary key (kind, subject_id)
);
comment on table incident_wakes is 'internal: what incidents have to be looked at for soon';

create table incident_rounds (
  name text primary key,
  run_id text not null,
  claimed_until timestamptz not null,
  last_whole_at timestamptz
);
comment on table incident_rounds is 'internal: which server looks after incidents now';

create function wake_incidents(subject_kind text, subject uuid) returns void language sql as $$
  insert into incident_wakes (kind, subject_id) values (subject_kind, subject) on conflict do nothing
$$;

create function wake_incidents_by_check() returns trigger language plpgsql as $$
begin
  -- Most subjects are of no interest to anybody's incident: they cost one look and no row.
  if exists (select from incident_rules where deleted_at is null)
    or exists (select from evidences where check_id = new.id and script is not null) then
    perform wake_incidents('check', new.id);
  end if;
  return null;
end $$;
create trigger wake_incidents_on_insert after insert on checks for each row
  when (new.status in ('warning', 'unhealthy'))
  execute function wake_incidents_by_check();
create trigger wake_incidents_on_update after update on checks for each row
  when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at)
  execute function wake_incidents_by_check();

create function wake_incidents_by_component() returns trigger language plpgsql as $$
begin
  -- Most subjects are of no interest to anybody's incident: they cost one look and no row.
  if exists (select from incident_rules where deleted_at is null)
    or exists (select from evidences where component_id = new.id and script is not null) then
    perform wake_incidents('component', new.id);
  end if;
  return null;
end $$;
create trigger wake_incidents_on_insert after insert on components for each row
  when (new.health in ('warning', 'unhealthy'))
  execute function wake_incidents_by_component();
create trigger wake_incidents_on_update after update on components for each row
  when (old.health is distinct from new.health or old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at)
  execute function wake_incidents_by_component();

create function wake_incidents_by_config() returns trigger language plpgsql as $$
begin
  -- Most subjects are of no interest to anybody's incident: they cost one look and no row.
  if exists (select from incident_rules where deleted_at is null)
    or exists (select from evidences where config_id = new.id and script is not null) then
    perform wake_incidents('config', new.id);
  end if;
  return null;
end $$;
create trigger wake_incidents_on_insert after insert on config_items for each row
  when (new.health in ('warning', 'unhealthy'))
  execute function wake_incidents_by_config();
create trigger wake_incidents_on_update after update on config_items for each row
  when (old.health is distinct from new.health or old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at or old.updated_at is distinct from new.updated_at)
  execute function wake_incidents_by_config();

create function wake_incidents_by_analysis() returns trigger language plpgsql as $$
begin
  if exists (select from evidences where config_analysis_id = new.id and script is not null) then
    perform wake_incidents('analysis', new.id);
  end if;
  return null;
end $$;
create trigger wake_incidents after update on config_analysis for each row
  when (old.status is distinct from new.status) execute function wake_incidents_by_analysis();

create function wake_incidents_by_evidence() returns trigger language plpgsql as $$
declare
  changed evidences := case tg_op when 'DELETE' then old else new end;
begin
  perform wake_incidents('incident', hypotheses.incident_id) from hypotheses
    where hypotheses.id = changed.hypothesis_id;
  return null;
end $$;
create trigger wake_incidents_on_new after insert or delete on evidences for each row
  execute function wake_incidents_by_evidence();
-- A verdict is no news to the one who gave it, and comes with its result: else a script over its own incident's
-- status would never come to rest.
create trigger wake_incidents_on_update after update on evidences for each row
  when (old.script is distinct from new.script or old.definition_of_done is distinct from new.definition_of_done
    or (old.done is distinct from new.done and old.script_result is not distinct from new.script_result))
  execute function wake_incidents_by_evidence();

create function wake_incidents_by_row() returns trigger language plpgsql as $$
begin
  perform wake_incidents(tg_argv[0], new.id);
  return null;
end $$;
create trigger wake_incidents_on_insert after insert on incident_rules for each row
  execute function wake_incidents_by_row('rule');
create trigger wake_incidents_on_update after update on incident_rules for each row
  when (old.spec is distinct from new.spec or old.deleted_at is distinct from new.deleted_at)
  execute function wake_incidents_by_row('rule');

-- A rule has to know at once which spell of its subject a person has closed the incident of.
create function wake_incidents_by_end() returns trigger language plpgsql as $$
begin
  perform wake_incidents(subject.kind, subject.subject_id) from incident_rule_subjects as subject
    where subject.incident_id = new.id and subject.is_current;
  return null;
end $$;
create trigger wake_incidents_by_end after update of status on incidents for each row
  when (old.status is distinct from new.status and new.status in ('closed', 'cancelled'))
  execute function wake_incidents_by_end();

-- The history names who changed a status where the writer says so; without that it stays the incident's author
-- (schema §1.7), which would make people the authors of what a rule did.
create or replace function tell_incident() returns trigger language plpgsql as $$
declare
  actor uuid := coalesce(nullif(current_setting('holdfast.actor', true), '')::uuid, new.created_by);
begin
  if tg_op = 'INSERT' then
    insert into incident_histories (incident_id, created_by, type, description)
      values (new.id, new.created_by, 'incident.created', new.id::text);
  else
    insert into incident_histories (incident_id, created_by, type, description)
      values (new.id, actor, 'incident.status_updated', new.status);
  end if;
  return null;
end $$;

create view incident_rules_with_status as
  select incident_rules.*, job.name as job_name, job.success_count as job_success_count,
    job.error_count as job_error_count, job.details as job_details, job.hostname as job_hostname,
    job.duration_millis as job_duration_millis, job.resource_type as job_resource_type, job.status as job_status,
    job.time_start as job_time_start, job.time_end as job_time_end, job.created_at as job_created_at, job.time_start as last_runtime, (
      select max(failed.time_start) from job_history as failed
      where failed.resource_id = incident_rules.id::text and failed.resource_type = 'incident_rule' and failed.status = 'FAILED'
    ) as job_last_failed,
    (select count(*) from incidents where incidents.incident_rule_id = incident_rules.id) as incident_count,
    (select count(*) from incidents where incidents.incident_rule_id = incident_rules.id
      and incidents.resolved is null and incidents.closed is null) as open_incident_count
  from incident_rules
  left join lateral (
    select newest.name, newest.success_count, newest.error_count, newest.details, newest.hostname,
      newest.duration_millis, newest.resource_type, newest.status, newest.time_start, newest.time_end, newest.created_at
    from job_history as newest
    where newest.resource_id = incident_rules.id::text
    order by newest.created_at desc
    limit 1
  ) as job on true
  where incident_rules.deleted_at is null;
