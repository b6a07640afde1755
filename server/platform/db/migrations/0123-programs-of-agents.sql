-- Two programs with one token answer the same agent's name: the one that was there first goes on, the other is told.
alter table agents
  add column program text,
  add column program_host text,
  add column program_since timestamptz,
  add column program_seen timestamptz,
  add column second_program text,
  add column second_program_host text,
  add column second_program_since timestamptz,
  add column second_program_seen timestamptz;
comment on column agents.program is 'the program that calls with the agent''s token; null while none said which it is';
comment on column agents.second_program is 'another one that called with it meanwhile: the next one, once the first is silent, or one too many';

drop trigger touch_updated_at on agents;
create trigger touch_updated_at before update on agents for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program,program,program_host,program_since,program_seen,second_program,second_program_host,second_program_since,second_program_seen}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program,program,program_host,program_since,program_seen,second_program,second_program_host,second_program_since,second_program_seen}'::text[])
  execute function touch_updated_at();

drop trigger note_change on agents;
create constraint trigger note_change after update on agents deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program,program,program_host,program_since,program_seen,second_program,second_program_host,second_program_since,second_program_seen}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program,program,program_host,program_since,program_seen,second_program,second_program_host,second_program_since,second_program_seen}'::text[])
  execute function note_change('resources', 'id');

-- What is told of two programs, while both are heard: 61 s as an agent is online.
do $$
declare
  before text := pg_get_viewdef('agents_summary'::regclass);
  changed text := regexp_replace(before, E'\n   FROM agents', E',\n    agents.program_host,'
    || E'\n    case when agents.second_program_seen > now() - interval ''61 seconds'''
    || E'\n      and agents.program_seen > greatest(agents.second_program_since, now() - interval ''61 seconds'')'
    || E'\n      then coalesce(agents.second_program_host, '''') end as second_host,'
    || E'\n    agents.second_program_since as second_since\n   FROM agents');
begin
  if before = changed then raise exception 'the view agents_summary has no columns to add to'; end if;
  execute 'create or replace view agents_summary as ' || changed;
end $$;
