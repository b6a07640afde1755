-- A server that has no line of an agent passes calls on to the one that has it.
alter table leases add column address text;
comment on column leases.address is 'where the other servers of this database reach its holder; null for what nobody asks there';

alter table agents
  add column cluster_token bigint,
  add column cluster_program text;
comment on column agents.cluster_token is 'greater than that of every line of the agent before: a server that was frozen writes nothing over a newer line';
comment on column agents.cluster_program is 'the program at the other end of the line; null for one that does not say';

drop trigger touch_updated_at on agents;
create trigger touch_updated_at before update on agents for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program}'::text[])
  execute function touch_updated_at();

drop trigger note_change on agents;
create constraint trigger note_change after update on agents deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program}'::text[]
    is distinct from
    to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms,backlog_rows,backlog_since,thinned_rows,cluster_server,cluster_seen,cluster_token,cluster_program}'::text[])
  execute function note_change('resources', 'id');
