/** Access tokens, and what keeps identities, people and their tokens in step (schema §1.5, §1.7). */
export const TABLES = `
-- Stored data has rows that were written without these; none of them means more than an empty text.
alter table incidents alter column description set default '';
alter table artifacts alter column checksum set default '';

-- What a rule sent goes with the rule.
alter table notification_send_history
  drop constraint notification_send_history_notification_id_fkey,
  add constraint notification_send_history_notification_id_fkey
    foreign key (notification_id) references notifications (id) on delete cascade;

-- value is the hash of the token; no reader of the data API sees this table.
create table access_tokens (
  id uuid primary key default generate_ulid(),
  name text not null,
  person_id uuid not null references people (id) on delete cascade,
  value text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  constraint access_tokens_person_id_name_key unique (person_id, name)
);

create function expire_access_tokens(owner uuid) returns void language sql as $$
  update access_tokens set expires_at = now()
    where person_id = owner and (expires_at is null or expires_at > now())
$$;

-- An agent that was removed must not come in any more.
create function expire_tokens_of_agent() returns trigger language plpgsql as $$
begin
  if old.person_id is not null then
    perform expire_access_tokens(old.person_id);
  end if;
  return null;
end $$;
create trigger expire_tokens_on_soft_delete after update of deleted_at on agents
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function expire_tokens_of_agent();
create trigger expire_tokens_on_delete after delete on agents
  for each row execute function expire_tokens_of_agent();

create function name_of_traits(traits jsonb) returns text language sql immutable as $$
  select coalesce(
    nullif(concat_ws(' ', nullif(traits -> 'name' ->> 'first', ''), nullif(traits -> 'name' ->> 'last', '')), ''),
    traits ->> 'email', '')
$$;

-- The person has the identity's id; whoever writes both by hand finds nothing left to do here.
create function write_person_of_identity() returns trigger language plpgsql as $$
begin
  insert into people (id, name, email) values (new.id, name_of_traits(new.traits), new.traits ->> 'email')
    on conflict (id) do update set name = excluded.name, email = excluded.email
    where people.name is distinct from excluded.name or people.email is distinct from excluded.email;
  return new;
end $$;
create trigger write_person_on_insert before insert on identities
  for each row execute function write_person_of_identity();
create trigger write_person_on_update before update of traits on identities
  for each row when (old.traits is distinct from new.traits) execute function write_person_of_identity();

create function retire_person_of_identity() returns trigger language plpgsql as $$
begin
  delete from casbin_rule where ptype = 'g' and v0 = old.id::text;
  update people set deleted_at = now() where id = old.id and deleted_at is null;
  perform expire_access_tokens(old.id);
  return null;
end $$;
create trigger retire_person after delete on identities
  for each row execute function retire_person_of_identity();
`;

/** Functions that take something away, whole. None is exposed to the data API. */
export const REMOVALS = `
create function delete_person(person uuid) returns void language plpgsql as $$
begin
  delete from identities where id = person;
  delete from casbin_rule where ptype = 'g' and v0 = person::text;
  update people set deleted_at = now() where id = person and deleted_at is null;
  perform expire_access_tokens(person);
end $$;

create function delete_agent_resources(agent uuid, at timestamptz) returns void language plpgsql as $$
begin
  update topologies set deleted_at = at where agent_id = agent and deleted_at is null;
  update components set deleted_at = at where agent_id = agent and deleted_at is null;
  update canaries set deleted_at = at where agent_id = agent and deleted_at is null;
  update checks set deleted_at = at where agent_id = agent and deleted_at is null;
  update config_scrapers set deleted_at = at where agent_id = agent and deleted_at is null;
  update config_items set deleted_at = at where agent_id = agent and deleted_at is null;
  update logging_backends set deleted_at = at where agent_id = agent and deleted_at is null;
end $$;
drop trigger delete_backends_with_agent on agents;
drop function delete_backends_with_agent();
create or replace function delete_with_agent() returns trigger language plpgsql as $$
begin
  perform delete_agent_resources(new.id, new.deleted_at);
  return null;
end $$;

-- What an incident, a run or a component still points at stays; its children lose their parent only when it goes.
create function delete_old_config_items(days integer) returns integer language plpgsql as $$
declare
  doomed uuid[];
begin
  doomed := array(
    select item.id from config_items as item
    where item.deleted_at < now() - make_interval(days => days)
      and not exists (select from evidences as evidence where evidence.config_id = item.id)
      and not exists (
        select from evidences as evidence join config_changes as change on change.id = evidence.config_change_id
        where change.config_id = item.id)
      and not exists (
        select from evidences as evidence join config_analysis as finding on finding.id = evidence.config_analysis_id
        where finding.config_id = item.id)
      and not exists (select from playbook_runs as run where run.config_id = item.id)
      and not exists (select from components as component where component.config_id = item.id)
  );
  delete from permissions where config_id = any(doomed);
  update config_items set parent_id = null where parent_id = any(doomed) and id <> all(doomed);
  delete from config_items where id = any(doomed);
  return cardinality(doomed);
end $$;

create function drop_config_items(ids text[]) returns integer language plpgsql as $$
declare
  doomed uuid[];
begin
  doomed := array(
    select item.id from config_items as item
    where item.id::text = any(ids) or string_to_array(item.path, '.') && ids
  );
  delete from evidences where config_id = any(doomed)
    or config_change_id in (select change.id from config_changes as change where change.config_id = any(doomed))
    or config_analysis_id in (select finding.id from config_analysis as finding where finding.config_id = any(doomed));
  delete from artifacts where playbook_run_action_id in (
    select action.id from playbook_run_actions as action
    join playbook_runs as run on run.id = action.playbook_run_id where run.config_id = any(doomed));
  delete from playbook_approvals where run_id in (select run.id from playbook_runs as run where run.config_id = any(doomed));
  delete from playbook_runs where config_id = any(doomed);
  delete from permissions where config_id = any(doomed);
  update components set config_id = null where config_id = any(doomed);
  update config_items set parent_id = null where parent_id = any(doomed) and id <> all(doomed);
  delete from config_items where id = any(doomed);
  return cardinality(doomed);
end $$;

-- The same silence again within the window is counted, not told twice.
create function insert_unsent_notification_to_history(notification_id uuid, source_event text, resource_id uuid,
    status text, "window" interval) returns void language plpgsql as $$
declare
  known uuid;
begin
  if status is null or status not in ('silenced', 'repeat-interval') then
    raise exception 'status must be silenced or repeat-interval, not %', status
      using errcode = 'invalid_parameter_value';
  end if;
  select history.id into known from notification_send_history as history
    where history.notification_id = insert_unsent_notification_to_history.notification_id
      and history.source_event = insert_unsent_notification_to_history.source_event
      and history.resource_id = insert_unsent_notification_to_history.resource_id
      and history.status = insert_unsent_notification_to_history.status
      and history.created_at > now() - insert_unsent_notification_to_history."window"
    order by history.created_at desc limit 1;
  if known is null then
    insert into notification_send_history (notification_id, source_event, resource_id, status) values (
      insert_unsent_notification_to_history.notification_id, insert_unsent_notification_to_history.source_event,
      insert_unsent_notification_to_history.resource_id, insert_unsent_notification_to_history.status);
  else
    update notification_send_history as history set count = history.count + 1, created_at = now()
      where history.id = known;
  end if;
end $$;
`;
