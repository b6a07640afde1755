-- What is known of an agent from its calls. Being heard each minute is no change of the agent: its row keeps its
-- updated_at, and no device is told.
alter table agents add column clock_skew_ms bigint;
comment on column agents.clock_skew_ms is 'how far its clock was ahead of the server''s at its last ping, in ms';

drop trigger touch_updated_at on agents;
create trigger touch_updated_at before update on agents for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms}'::text[]
    is distinct from to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms}'::text[])
  execute function touch_updated_at();

drop trigger note_change on agents;
create constraint trigger note_change after update on agents deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at,last_seen,last_received,clock_skew_ms}'::text[]
    is distinct from to_jsonb(new) - '{updated_at,last_seen,last_received,clock_skew_ms}'::text[])
  execute function note_change('resources', 'id');
