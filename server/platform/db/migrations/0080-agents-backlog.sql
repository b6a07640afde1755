-- What an agent says of itself at each ping: how much it has still to push, since when, and how many runs of checks it
-- gave up because its own database may keep no more. Being said each time, none of it is a change of the agent.
alter table agents
  add column backlog_rows bigint,
  add column backlog_since timestamptz,
  add column thinned_rows bigint;
comment on column agents.backlog_rows is 'rows that it had still to push at its last ping; null where it does not say';
comment on column agents.backlog_since is 'when the oldest run among them was; null when nothing waits';
comment on column agents.thinned_rows is 'runs that it gave up since it was made, because its database may keep no more';

drop trigger touch_updated_at on agents;
create trigger touch_updated_at before update on agents for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows}'::text[])
  execute function touch_updated_at();

drop trigger note_change on agents;
create constraint trigger note_change after update on agents deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows}'::text[])
  execute function note_change('resources', 'id');

do $$
declare
  before text := pg_get_viewdef('agents_summary'::regclass);
  changed text := regexp_replace(before, E'\n   FROM agents', E',\n    agents.clock_skew_ms, agents.backlog_rows, agents.backlog_since, agents.thinned_rows\n   FROM agents');
begin
  if before = changed then raise exception 'the view agents_summary has no columns to add to'; end if;
  execute 'create or replace view agents_summary as ' || changed;
end $$;

-- What a server that is an agent knows of itself; empty on any other.
create table upstream_link (
  is_only boolean primary key default true check (is_only),
  thinned_rows bigint not null default 0
);
comment on table upstream_link is 'one row on a server that pushes to another one';
