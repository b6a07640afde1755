-- An agent that offers its cluster: people's calls go there through the line that it keeps open to one of the servers.
alter table agents
  add column cluster_server text,
  add column cluster_seen timestamptz;
comment on column agents.cluster_server is 'the server that has the agent''s line for calls to its cluster; null while none has';
comment on column agents.cluster_seen is 'when it last opened that line; null for one that never offered a cluster';

drop trigger touch_updated_at on agents;
create trigger touch_updated_at before update on agents for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen}'::text[])
  execute function touch_updated_at();

drop trigger note_change on agents;
create constraint trigger note_change after update on agents deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen}'::text[])
  execute function note_change('resources', 'id');

do $$
declare
  before text := pg_get_viewdef('agents_summary'::regclass);
  changed text := regexp_replace(before, E'\n   FROM agents', E',\n    agents.cluster_server, agents.cluster_seen\n   FROM agents');
begin
  if before = changed then raise exception 'the view agents_summary has no columns to add to'; end if;
  execute 'create or replace view agents_summary as ' || changed;
end $$;
