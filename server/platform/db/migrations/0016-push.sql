-- Web Push: the server's own keys, the browsers that people chose, and what waits to be sent to them. Messages are
-- written by triggers, in the transaction of the comment or responder that they tell of: none for what was rolled
-- back, none forgotten. A browser's subscription ends with the session that made it.

create table push_keys (
  id boolean primary key default true check (id),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);
comment on table push_keys is 'internal: keys that push services know this server by; the private one is sealed';

create table push_subscriptions (
  id uuid primary key default generate_ulid(),
  person_id uuid not null references people (id) on delete cascade,
  session_id uuid not null references identity_sessions (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table push_subscriptions is 'internal: browsers that are told of mentions; an endpoint is a secret';
create index push_subscriptions_person_id_idx on push_subscriptions (person_id);
create index push_subscriptions_session_id_idx on push_subscriptions (session_id);
create trigger touch_updated_at before update on push_subscriptions for each row execute function touch_updated_at();

create table push_messages (
  id uuid primary key default generate_ulid(),
  subscription_id uuid not null references push_subscriptions (id) on delete cascade,
  kind text not null check (kind in ('mention', 'responder')),
  incident_id uuid not null references incidents (id) on delete cascade,
  comment_id uuid references comments (id) on delete cascade,
  responder_id uuid references responders (id) on delete cascade,
  created_by uuid,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint push_messages_comment_key unique (subscription_id, comment_id),
  constraint push_messages_responder_key unique (subscription_id, responder_id)
);
comment on table push_messages is 'internal: what waits to be sent to browsers';
create index push_messages_due_idx on push_messages (next_attempt_at);
create index push_messages_incident_id_idx on push_messages (incident_id);
create index push_messages_comment_id_idx on push_messages (comment_id);
create index push_messages_responder_id_idx on push_messages (responder_id);

create function mentioned_people(comment text) returns setof text language sql immutable as $$
  select distinct lower(found[1]) from regexp_matches(comment, '@\[[^\]]*\]\(user:([0-9a-fA-F-]{36})\)', 'g') as found
$$;

create function push_mentions() returns trigger language plpgsql as $$
begin
  insert into push_messages (subscription_id, kind, incident_id, comment_id, created_by)
    select subscription.id, 'mention', new.incident_id, new.id, new.created_by
      from mentioned_people(new.comment) as mentioned
      join push_subscriptions as subscription on subscription.person_id::text = mentioned
     where subscription.person_id is distinct from new.created_by
       and (tg_op = 'INSERT' or mentioned not in (select mentioned_people(old.comment)))
    on conflict do nothing;
  return null;
end $$;
create trigger push_mentions_new after insert on comments for each row
  when (new.comment like '%(user:%') execute function push_mentions();
create trigger push_mentions_edited after update on comments for each row
  when (new.comment is distinct from old.comment and new.comment like '%(user:%') execute function push_mentions();

create function push_responder() returns trigger language plpgsql as $$
begin
  insert into push_messages (subscription_id, kind, incident_id, responder_id, created_by)
    select subscription.id, 'responder', new.incident_id, new.id, new.created_by
      from push_subscriptions as subscription
     where subscription.person_id is distinct from new.created_by
       and (subscription.person_id = new.person_id or exists (
         select 1 from team_members as member
          where member.team_id = new.team_id and member.person_id = subscription.person_id))
    on conflict do nothing;
  return null;
end $$;
create trigger push_responder after insert on responders for each row
  when (new.deleted_at is null) execute function push_responder();

create function forget_push_of_session() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger forget_push_of_session after update of revoked_at on identity_sessions for each row
  when (new.revoked_at is not null) execute function forget_push_of_session();
