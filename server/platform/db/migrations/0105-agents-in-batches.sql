-- What an agent brought goes with it in batches: one statement over everything would hold its tables for minutes.

-- Agents that are deleted and of whom something is still here.
create table agent_cleanups (
  agent_id uuid primary key references agents (id) on delete cascade,
  deleted_at timestamptz not null
);
comment on table agent_cleanups is 'internal: deleted agents whose rows are being taken away';

-- At most that many rows; answers how many there were. What hangs on others goes first: it would go with them at once.
create function delete_agent_rows(agent uuid, at timestamptz, most integer) returns integer language plpgsql as $$
declare
  name text;
  done integer;
  total integer := 0;
begin
  foreach name in array array['components', 'topologies', 'checks', 'canaries', 'config_items', 'config_scrapers', 'logging_backends'] loop
    execute format(
      'update %1$I set deleted_at = $2 where id in (select id from %1$I where agent_id = $1 and deleted_at is null limit $3)',
      name) using agent, at, most - total;
    get diagnostics done = row_count;
    total := total + done;
    exit when total >= most;
  end loop;
  return total;
end $$;

create or replace function delete_agent_resources(agent uuid, at timestamptz) returns void language plpgsql as $$
begin
  if delete_agent_rows(agent, at, 2000) = 2000 then
    insert into agent_cleanups (agent_id, deleted_at) values (agent, at) on conflict do nothing;
  end if;
end $$;
