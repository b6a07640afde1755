-- What rules of notifications make of events: which events are kept for them, what waits to be sent, how each attempt
-- ended; silences by label selector, by expression, and at recurring hours.

-- Events for rules are taken in batches by a loop of their own, beside those that are handled one by one.
create table notification_events (
  id uuid primary key default generate_ulid(),
  name text not null,
  about jsonb not null,
  created_at timestamptz not null default now()
);
comment on table notification_events is 'internal: events that rules of notifications have not been asked about yet';
create unique index notification_events_key on notification_events (name, md5(about::text));
create index notification_events_created_at_idx on notification_events (created_at, id);

create function is_rule_waiting_for(event text) returns boolean language sql stable as $$
  select exists (select from notifications where deleted_at is null and error is null and event = any(events))
$$;

create function note_for_rules(event text, about jsonb) returns void language sql as $$
  insert into notification_events (name, about) select event, about where is_rule_waiting_for(event)
    on conflict (name, md5(about::text)) do update set created_at = now()
$$;

alter function queue_event(text, jsonb) rename to queue_handled_event;
create function queue_event(event text, about jsonb) returns void language sql as $$
  select queue_handled_event(event, about);
  select note_for_rules(event, about);
$$;

-- New items are noted by statement (migration 0039).
create function note_created_configs() returns trigger language plpgsql as $$
begin
  if is_rule_waiting_for('config.created') then
    insert into notification_events (name, about)
      select 'config.created', jsonb_build_object('id', item.id) from new_items as item
      on conflict (name, md5(about::text)) do update set created_at = now();
  end if;
  return null;
end $$;
create trigger note_created_configs after insert on config_items referencing new table as new_items
  for each statement execute function note_created_configs();

-- One message to one recipient: about one thing, or about all that was held together.
create table notification_deliveries (
  id uuid primary key default generate_ulid(),
  notification_id uuid not null references notifications (id) on delete cascade,
  recipient text not null,
  kind text not null check (kind in ('single', 'group', 'digest')),
  group_key text not null default '',
  -- What is above the things it tells of: when one of those is told of too, they go together.
  above uuid[] not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  done_calls integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- As it was written for the first attempt: each one sends the same.
  title text, body text,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
comment on table notification_deliveries is 'internal: messages of rules that wait to be sent, and the last 30 days of those that were';
create index notification_deliveries_due_idx on notification_deliveries (next_attempt_at) where state = 'queued';
create index notification_deliveries_rule_idx on notification_deliveries (notification_id, created_at);
create unique index notification_deliveries_group_key on notification_deliveries (notification_id, recipient, kind, group_key)
  where state = 'queued' and kind <> 'single' and attempts = 0;

alter table notification_send_history
  add column title text,
  add column recipient text,
  add column reason text,
  add column attempts jsonb not null default '[]',
  add column delivery_id uuid references notification_deliveries (id) on delete set null;
create index notification_send_history_delivery_id_idx on notification_send_history (delivery_id);
create index notification_send_history_resource_idx on notification_send_history (notification_id, resource_id, created_at);
comment on column notification_send_history.reason is 'why it was not sent: the silence, the repeat interval, the limit';
comment on column notification_send_history.attempts is 'each attempt: when, how long, how it ended';

-- A silence without a resource is one by selector or filter; recurrence has windows of the day as incident rules have.
alter table notification_silences
  add column selector text,
  add column filter text,
  add column recurrence jsonb,
  add column ending_told_at timestamptz;

create or replace view notifications_summary as
  select notifications.id, notifications.name, coalesce(notifications.namespace, '') as namespace, notifications.error,
    notifications.title, notifications.events, notifications.filter, notifications.person_id, notifications.team_id,
    notifications.custom_services, notifications.created_at, notifications.updated_at, notifications.created_by,
    notifications.source, notifications.repeat_interval, notifications.wait_for,
    sends.pending, sends.failed, sends.sent, sends.avg_duration_ms, sends.most_common_error
  from notifications
  cross join lateral (
    select count(*) filter (where history.status in ('pending', 'sending')) as pending,
      count(*) filter (where history.error is not null) as failed,
      count(*) filter (where history.status = 'sent') as sent,
      round(avg(history.duration_millis), 2) as avg_duration_ms,
      mode() within group (order by history.error) as most_common_error
    from notification_send_history as history where history.notification_id = notifications.id
  ) as sends
  where notifications.deleted_at is null;

drop view notification_send_history_summary;
create view notification_send_history_summary as
  select history.id, history.notification_id, history.body, history.status, history.count, history.first_observed,
    history.source_event, history.resource_id, history.person_id, history.error, history.duration_millis,
    history.created_at, split_part(history.source_event, '.', 1) as resource_type,
    case split_part(history.source_event, '.', 1)
      when 'config' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'type', own.type, 'config_class', own.config_class)
        from config_items as own where own.id = history.resource_id)
      when 'component' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'icon', own.icon)
        from components as own where own.id = history.resource_id)
      when 'check' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'type', own.type, 'status', own.status,
          'icon', own.icon)
        from checks as own where own.id = history.resource_id)
      else (
        select jsonb_build_object('id', own.id, 'name', own.name)
        from canaries as own where own.id = history.resource_id)
    end as resource,
    history.title, history.recipient, history.reason, history.attempts
  from notification_send_history as history
  where split_part(history.source_event, '.', 1) in ('config', 'component', 'check', 'canary');
