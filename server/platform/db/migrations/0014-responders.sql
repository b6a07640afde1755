-- The way to and from the systems that responders work in: what waits to be told, what was read, what they offer.

-- Consumers ask by name; what nobody consumes yet must not be in their way.
create index event_queue_name_idx on event_queue (name, priority desc, created_at);

-- How the outside system itself knows the call, where that isn't what people see of it. While a call waits,
-- next_attempt_at is when it is made; once it is delivered, when the outside system is read next.
alter table responder_deliveries add column remote_key text;
create index responder_deliveries_pull_idx on responder_deliveries (next_attempt_at) where state = 'delivered';

-- What a delivered call is told after it was made, in order. A row is gone when it was told; null as the time of
-- the next attempt: given up until somebody asks for another try.
create table responder_messages (
  id bigint generated always as identity primary key,
  responder_id uuid not null references responders (id) on delete cascade,
  kind text not null check (kind in ('comment', 'status', 'removed')),
  comment_id uuid references comments (id) on delete cascade,
  status text,
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  error text,
  created_at timestamptz not null default now(),
  constraint responder_messages_comment_key unique (responder_id, comment_id)
);
comment on table responder_messages is 'internal: what outside systems are still to be told';
create index responder_messages_due_idx on responder_messages (next_attempt_at) where next_attempt_at is not null;

-- Comments of the outside system that are known here, ours and theirs: one that was deleted here stays deleted.
create table responder_remote_comments (
  responder_id uuid not null references responders (id) on delete cascade,
  external_id text not null,
  primary key (responder_id, external_id)
);
comment on table responder_remote_comments is 'internal: which comments of outside systems are known';
create index comment_responders_responder_id_idx on comment_responders (responder_id);

-- What a team's clients offer: what its spec says, else what was read from the system itself.
create function public_responder_clients(spec jsonb, team uuid) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(client.key,
      case when client.value ? 'values' or offered.config is null then client.value
        else client.value || jsonb_build_object('values', offered.config) end), '{}')
  from jsonb_each(public_responder_clients(spec)) as client
  left join lateral (
    select config from config_items
    where config_class = 'Responder' and type = client.key and external_id @> array[team::text] and deleted_at is null
    order by updated_at desc limit 1
  ) as offered on true
$$;
do $$
declare
  before constant text := pg_get_viewdef('feed_resources'::regclass);
  changed constant text := replace(before, 'public_responder_clients(teams.spec)', 'public_responder_clients(teams.spec, teams.id)');
begin
  if before = changed then raise exception 'feed_resources has no clients of teams'; end if;
  execute 'create or replace view feed_resources as ' || changed;
end $$;

create function note_team_of_options() returns trigger language plpgsql as $$
begin
  perform log_change('resources', new.external_id[1], false);
  return null;
end $$;
create constraint trigger note_team after insert or update of config, deleted_at on config_items
  deferrable initially deferred for each row
  when (new.config_class = 'Responder' and new.external_id[1] is not null) execute function note_team_of_options();

-- What signs in at a team's outside systems leaves the team's spec the moment it is written: the spec is read by
-- everybody, replicated, exported and logged as changes. It keeps `***` in its place, which sent back means "as it
-- was" (as with connections, schema §8.4). A kept secret belongs to the host it was entered for: whoever points the
-- client at another host has to enter it again, or an editor could have it sent to himself.

create table team_secrets (
  team_id uuid not null,
  path text not null,
  value text not null,
  host text not null,
  -- Of the write that has seen it last: what a write doesn't see is gone from the spec.
  round uuid not null,
  primary key (team_id, path)
);
comment on table team_secrets is 'internal: what signs in at the outside systems of teams';

create function is_secret_name(name text) returns boolean language sql immutable as $$
  select name ~* '(passw|passphrase|secret|token|credential|authorization|certificate|private|(api|access|signing|service|integration|routing)[-_]?key)'
$$;

create function without_sign_in(url text) returns text language sql immutable as $$
  select regexp_replace(url, '://[^/@]*@', '://***@')
$$;

-- One text of a client, as everybody may see it. What lies anywhere below a secret name is secret; the client's own
-- name, with which every place begins, says nothing.
create function hide_secret(team uuid, place text, content text, at_host text, this_round uuid) returns text
language plpgsql as $$
declare
  is_named constant boolean := is_secret_name(regexp_replace(place, '^[^/]*', ''));
  shown text;
begin
  if is_named then
    if content = '' or content ~ '^(secret|configmap|connection)://' then return content; end if;
    shown := '***';
  elsif content ~ '^[a-z+]+://[^/@]*@' then
    shown := without_sign_in(content);
  else
    return content;
  end if;
  if shown = content then
    update team_secrets set round = this_round where team_id = team and path = place and host = at_host
      and (is_named or without_sign_in(value) = content);
  else
    insert into team_secrets (team_id, path, value, host, round) values (team, place, content, at_host, this_round)
      on conflict (team_id, path) do update set value = excluded.value, host = excluded.host, round = excluded.round;
  end if;
  return shown;
end $$;

create function hide_secrets(team uuid, place text, content jsonb, at_host text, this_round uuid) returns jsonb
language plpgsql as $$
begin
  case jsonb_typeof(content)
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, hide_secrets(team, place || '/' || key, value, at_host, this_round)), '{}')
        from jsonb_each(content));
    when 'array' then
      return (select coalesce(jsonb_agg(hide_secrets(team, place || '/' || (number - 1), value, at_host, this_round) order by number), '[]')
        from jsonb_array_elements(content) with ordinality as parts (value, number));
    when 'string' then
      return to_jsonb(hide_secret(team, place, content #>> '{}', at_host, this_round));
    when 'number' then
      if not is_secret_name(regexp_replace(place, '^[^/]*', '')) then return content; end if;
      return to_jsonb(hide_secret(team, place, content #>> '{}', at_host, this_round));
    else
      return content;
  end case;
end $$;

create function keep_team_secrets() returns trigger language plpgsql as $$
declare
  this_round constant uuid := gen_random_uuid();
begin
  if jsonb_typeof(new.spec -> 'responder_clients') = 'object' then
    new.spec := jsonb_set(new.spec, '{responder_clients}', (
      select coalesce(jsonb_object_agg(key, hide_secrets(new.id, key, value,
          coalesce(lower(substring(value ->> 'url' from '^[a-z+]+://(?:[^/@]*@)?([^/?#]*)')), ''), this_round)), '{}')
      from jsonb_each(new.spec -> 'responder_clients')));
  end if;
  delete from team_secrets where team_id = new.id and round <> this_round;
  return new;
end $$;
-- Named to run before touch_updated_at, so that nothing but stars is no change.
create trigger keep_team_secrets before insert or update of spec on teams
  for each row execute function keep_team_secrets();

create function forget_team_secrets() returns trigger language plpgsql as $$
begin
  delete from team_secrets where team_id = old.id;
  return null;
end $$;
create trigger forget_team_secrets after delete on teams for each row execute function forget_team_secrets();

update teams set spec = spec where spec ? 'responder_clients';
set constraints all immediate;
