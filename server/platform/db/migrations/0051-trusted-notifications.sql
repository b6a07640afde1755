-- What makes an alert one that people trust: who said that it is known and until when, what became of a push on each
-- device, how each person wants to be reached, and when this server could not see.

-- Somebody knows (no end: until it is well again), or wants quiet until a stated time. One at a time for each thing.
create table acknowledgements (
  id uuid primary key default generate_ulid(),
  kind text not null check (kind in ('check', 'config', 'component', 'incident')),
  resource_id uuid not null,
  person_id uuid not null references people (id) on delete cascade,
  until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text check (end_reason in ('well', 'gone', 'taken back', 'time', 'replaced')),
  constraint acknowledgements_end_check check ((ended_at is null) = (end_reason is null))
);
comment on table acknowledgements is 'internal: what people know of and are not told again';
create unique index acknowledgements_active_key on acknowledgements (resource_id) where ended_at is null;
create index acknowledgements_until_idx on acknowledgements (until) where ended_at is null;
create trigger touch_updated_at before update on acknowledgements for each row execute function touch_updated_at();

create constraint trigger note_new after insert or delete on acknowledgements deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on acknowledgements deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at}'::text[] is distinct from to_jsonb(new) - '{updated_at}'::text[])
  execute function note_change('resources', 'id');

do $$ begin
  execute 'create or replace view feed_resources as ' || rtrim(pg_get_viewdef('feed_resources'::regclass), ';') || '
    union all
    select acknowledgements.id::text as id, ''acknowledgement'' as kind, row_to_json(own) as own
      from acknowledgements cross join lateral (select acknowledgements.kind as about, acknowledgements.resource_id,
        acknowledgements.person_id, acknowledgements.until, acknowledgements.created_at, acknowledgements.updated_at,
        acknowledgements.person_id as created_by) as own
     where acknowledgements.ended_at is null';
end $$;

-- What is well again or gone needs no acknowledgement; a snooze holds until its end, whatever happens meanwhile.
create function end_acknowledgements() returns trigger language plpgsql as $$
declare
  is_gone constant boolean := to_jsonb(new) ->> 'deleted_at' is not null or tg_table_name = 'incidents';
begin
  update acknowledgements set ended_at = now(), end_reason = case when is_gone then 'gone' else 'well' end
   where resource_id = new.id and ended_at is null and (is_gone or until is null);
  return null;
end $$;
create trigger end_acknowledgements after update of status, deleted_at on checks for each row
  when ((new.status = 'healthy' and old.status is distinct from new.status)
    or (new.deleted_at is not null and old.deleted_at is null))
  execute function end_acknowledgements();
create trigger end_acknowledgements after update of health, deleted_at on config_items for each row
  when ((new.health = 'healthy' and old.health is distinct from new.health)
    or (new.deleted_at is not null and old.deleted_at is null))
  execute function end_acknowledgements();
create trigger end_acknowledgements after update of health, status, deleted_at on components for each row
  when ((coalesce(nullif(new.health, ''), new.status) = 'healthy'
      and coalesce(nullif(old.health, ''), old.status) is distinct from 'healthy')
    or (new.deleted_at is not null and old.deleted_at is null))
  execute function end_acknowledgements();
create trigger end_acknowledgements after update of status on incidents for each row
  when (new.status in ('resolved', 'closed', 'cancelled') and old.status is distinct from new.status)
  execute function end_acknowledgements();

-- How a person wants to be reached; nobody has a row who never changed anything.
create table person_notification_settings (
  person_id uuid primary key references people (id) on delete cascade,
  push boolean not null default true,
  mail text not null default 'unconfirmed' check (mail in ('always', 'unconfirmed', 'never')),
  quiet jsonb,
  urgent_passes boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table person_notification_settings is 'internal: which ways each person wants, and when not';
create trigger touch_updated_at before update on person_notification_settings for each row execute function touch_updated_at();

-- A message to a person goes one way after the other until a device has shown it: which way it is at, and what a device
-- needs to know of it besides its text.
alter table notification_deliveries
  add column step integer not null default 0,
  add column message jsonb;

-- What became of a message on each device: taken by its push service, come to the device, on its screen, acted on.
create table push_receipts (
  id uuid primary key default generate_ulid(),
  delivery_id uuid references notification_deliveries (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  subscription_id uuid references push_subscriptions (id) on delete set null,
  device text not null default '',
  accepted_at timestamptz,
  received_at timestamptz,
  shown_at timestamptz,
  acted_at timestamptz,
  action text check (action in ('open', 'acknowledge', 'snooze', 'dismiss')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint push_receipts_delivery_key unique (delivery_id, subscription_id)
);
comment on table push_receipts is 'internal: what devices say of what was pushed to them; without a delivery it was a test';
create index push_receipts_person_idx on push_receipts (person_id, created_at);
create index push_receipts_subscription_id_idx on push_receipts (subscription_id);
create trigger touch_updated_at before update on push_receipts for each row execute function touch_updated_at();

-- The history shows them: what was told to whom, and what became of it on which device.
do $$
declare
  before constant text := rtrim(pg_get_viewdef('notification_send_history_summary'::regclass), ';');
  receipts constant text := ',
    coalesce((select jsonb_agg(jsonb_build_object(''device'', receipt.device, ''accepted_at'', receipt.accepted_at,
        ''received_at'', receipt.received_at, ''shown_at'', receipt.shown_at, ''acted_at'', receipt.acted_at,
        ''action'', receipt.action) order by receipt.created_at)
      from push_receipts as receipt where receipt.delivery_id = history.delivery_id), ''[]''::jsonb) as receipts
   FROM notification_send_history history';
  changed constant text := replace(replace(before, E'\n   FROM notification_send_history history', receipts),
    '''canary''::text]', '''canary''::text, ''monitor''::text]');
begin
  if position('receipts' in changed) = 0 then raise exception 'the history has another form'; end if;
  execute 'create or replace view notification_send_history_summary as ' || changed;
end $$;

-- Times at which this server, or an agent, could not see: its network was gone, it was silent, its clock jumped.
create table monitor_outages (
  id uuid primary key default generate_ulid(),
  kind text not null check (kind in ('network', 'agent', 'clock')),
  -- The server or agent, by name; rows of an agent have its id, too.
  name text not null,
  agent_id uuid references agents (id) on delete cascade,
  reason text not null,
  since timestamptz not null,
  ended_at timestamptz,
  told_at timestamptz,
  back_told_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table monitor_outages is 'internal: when who could not see';
create unique index monitor_outages_open_key on monitor_outages (kind, name) where ended_at is null;
create trigger touch_updated_at before update on monitor_outages for each row execute function touch_updated_at();

-- Checks that nobody could see are unknown since then; what they were before is kept, so that nobody is told of what
-- did not change meanwhile.
alter table checks add column blind_since timestamptz;
alter table checks add column seen_status text;
create index checks_blind_since_idx on checks (blind_since) where blind_since is not null;

create or replace function queue_check_event() returns trigger language plpgsql as $$
begin
  if old.status is null and old.blind_since is not null and old.seen_status is not distinct from new.status then
    return null;
  end if;
  perform queue_event(
    case new.status when 'healthy' then 'check.passed' else 'check.failed' end,
    jsonb_build_object('id', new.id, 'last_runtime', new.last_runtime)
  );
  return null;
end $$;
