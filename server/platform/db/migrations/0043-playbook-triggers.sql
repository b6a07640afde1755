-- What sets playbooks off by themselves, what caused each such run, and approvals: who is asked, who is told.

-- Events that rows want (playbooks by their triggers): noted while such a row is there, beside event_subscriptions.
create table event_demands (
  owner_id uuid not null,
  name text not null,
  primary key (owner_id, name)
);
create index event_demands_name_idx on event_demands (name);
comment on table event_demands is 'internal: events that a row of another table is to be set off by';

create function is_event_wanted(event text) returns boolean language sql stable as $$
  select exists (select from event_subscriptions where name = event)
    or exists (select from event_demands where name = event)
    or not exists (select from event_subscriptions)
$$;

create or replace function queue_event(event text, about jsonb) returns void language sql as $$
  insert into event_queue (name, properties)
    select event, about
    where is_event_wanted(event)
    on conflict (name, md5(properties::text))
    do update set created_at = now(), last_attempt = null, attempts = 0
$$;

create or replace function queue_created_configs() returns trigger language plpgsql as $$
begin
  if is_event_wanted('config.created') then
    insert into event_queue (name, properties)
      select 'config.created', jsonb_build_object('id', item.id) from new_items as item
      on conflict (name, md5(properties::text))
      do update set created_at = now(), last_attempt = null, attempts = 0;
  end if;
  return null;
end $$;

create function json_items(list jsonb) returns jsonb language sql immutable as $$
  select case jsonb_typeof(list) when 'array' then list else '[]' end
$$;

create function demand_playbook_events() returns trigger language plpgsql as $$
begin
  delete from event_demands where owner_id = coalesce(new.id, old.id);
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into event_demands (owner_id, name)
      select new.id, area.word || '.' || (wanted ->> 'event')
        from (values ('canary', 'check'), ('config', 'config'), ('component', 'component')) as area (key, word),
             jsonb_array_elements(json_items(new.spec #> array['on', area.key])) as wanted
       where wanted ->> 'event' is not null
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger demand_playbook_events after insert or delete or update of spec, deleted_at on playbooks
  for each row execute function demand_playbook_events();
insert into event_demands (owner_id, name)
  select playbooks.id, area.word || '.' || (wanted ->> 'event')
    from playbooks,
         (values ('canary', 'check'), ('config', 'config'), ('component', 'component')) as area (key, word),
         jsonb_array_elements(json_items(playbooks.spec #> array['on', area.key])) as wanted
   where playbooks.deleted_at is null and wanted ->> 'event' is not null
  on conflict do nothing;

-- Why a run is there when nobody started it. `source_key` is the event, delivery or time: one run for each.
create table playbook_run_causes (
  run_id uuid primary key references playbook_runs (id) on delete cascade,
  playbook_id uuid not null references playbooks (id) on delete cascade,
  kind text not null check (kind in ('event', 'webhook', 'schedule')),
  source_key text not null,
  -- The event's name, the webhook's caller, the schedule's line.
  detail text not null,
  parent_run_id uuid references playbook_runs (id) on delete set null,
  -- False where the parent is presumed from what happened when.
  is_certain boolean not null default false,
  is_stopped boolean not null default false,
  created_at timestamptz not null default now(),
  constraint playbook_run_causes_source_key unique (playbook_id, kind, source_key)
);
create index playbook_run_causes_parent_run_id_idx on playbook_run_causes (parent_run_id);
comment on table playbook_run_causes is 'internal: what set a run of a playbook off when nobody started it';

-- A schedule's times are counted from when it was seen first, and from its last run.
create table playbook_schedule_states (
  playbook_id uuid not null references playbooks (id) on delete cascade,
  line text not null,
  checked_until timestamptz not null,
  primary key (playbook_id, line)
);
comment on table playbook_schedule_states is 'internal: until when schedules of playbooks have been looked at';

-- Approvals. Each is one person's, in his own name or a team's.
create constraint trigger note_new after insert or delete on playbook_approvals deferrable initially deferred
  for each row execute function note_change('playbook_runs', 'run_id');

-- `asked`: teams have a column spec of their own.
create function run_approvers(asked jsonb) returns setof uuid language sql stable as $$
  select people.id from people
   where people.deleted_at is null and exists (
     select from jsonb_array_elements_text(json_items(asked #> '{approval,approvers,people}')) as listed
      where lower(trim(listed)) = lower(trim(people.email)))
  union
  select member.person_id from team_members as member
    join teams on teams.id = member.team_id and teams.deleted_at is null
   where exists (
     select from jsonb_array_elements_text(json_items(asked #> '{approval,approvers,teams}')) as listed
      where listed = teams.id::text or lower(trim(listed)) = lower(trim(teams.name)))
$$;

-- Who is asked for approval and who gave it, by id: a device shows it to those that it concerns.
create or replace view feed_playbook_runs as
  select id, playbook_id, status, created_at, start_time, scheduled_time, end_time, check_id, config_id, component_id,
    agent_id, error, created_by,
    coalesce((
      select jsonb_agg(jsonb_build_object('id', action.id, 'name', action.name, 'status', action.status,
        'start_time', action.start_time, 'end_time', action.end_time, 'error', action.error)
        order by action.scheduled_time, action.id)
      from playbook_run_actions as action where action.playbook_run_id = playbook_runs.id
    ), '[]') as actions,
    case when status = 'pending_approval' then jsonb_build_object(
      'approvers', coalesce((select jsonb_agg(approver order by approver) from run_approvers(spec) as approver), '[]'),
      'approved_by', coalesce((select jsonb_agg(person_id order by created_at) from playbook_approvals
        where run_id = playbook_runs.id), '[]')
    ) end as approval
  from playbook_runs where created_at > now() - interval '7 days';

-- Push: beside what happens at incidents, runs that wait for somebody's approval.
alter table push_messages alter column incident_id drop not null;
alter table push_messages add column run_id uuid references playbook_runs (id) on delete cascade;
alter table push_messages drop constraint push_messages_kind_check;
alter table push_messages add constraint push_messages_kind_check check (kind in ('mention', 'responder', 'approval'));
alter table push_messages add constraint push_messages_subject_check check (num_nonnulls(incident_id, run_id) = 1);
alter table push_messages add constraint push_messages_run_key unique (subscription_id, run_id);
create index push_messages_run_id_idx on push_messages (run_id);

create function push_approval() returns trigger language plpgsql as $$
begin
  insert into push_messages (subscription_id, kind, run_id, created_by)
    select subscription.id, 'approval', new.id, new.created_by
      from run_approvers(new.spec) as approver
      join push_subscriptions as subscription on subscription.person_id = approver
     where approver is distinct from new.created_by
    on conflict do nothing;
  return null;
end $$;
create trigger push_approval after insert on playbook_runs for each row
  when (new.status = 'pending_approval') execute function push_approval();

-- A playbook's webhook is where it is called and how callers sign in: its path is no secret, as addresses of the
-- webhooks of others are.
create or replace function shown_spec(content jsonb, is_secret boolean) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(content)
    when 'object' then (select coalesce(jsonb_object_agg(key, case
        when key = any(array['valueFrom', 'labels', 'annotations', 'tags', 'test', 'display', 'transform', 'metrics', 'relationships']) and (key = 'valueFrom' or not is_secret) then value
        when key = 'name' then value
        when key = 'value' then shown_spec(value, is_secret or coalesce(is_spec_secret(content ->> 'name'), false))
        when key = 'webhook' and not is_secret and jsonb_typeof(value) = 'object' and value - '{path,authentication}'::text[] = '{}'
          then shown_spec(value, false)
        else shown_spec(value, is_secret or is_spec_secret(key)) end), '{}')
      from jsonb_each(content))
    when 'array' then (select coalesce(jsonb_agg(shown_spec(value, is_secret) order by number), '[]')
      from jsonb_array_elements(content) with ordinality as parts (value, number))
    when 'string' then to_jsonb(shown_spec_text(content #>> '{}', is_secret))
    when 'number' then case when is_secret then '"***"'::jsonb else content end
    else content
  end;
end $$;
