/** The way to and from the systems that responders work in: what waits to be told, what was read, what they offer. */
import { TEAM_SECRETS } from './0014-team-secrets.ts';

export const up = `
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
${TEAM_SECRETS}
`;
