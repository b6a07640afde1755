-- What somebody here puts on an agent goes to one that there is, and once by its name, whichever way it is written or renamed:
-- of two with one name the agent could keep neither, nor anything else that is kept for it. What agents push is their own.
create function placed_on_agent() returns trigger language plpgsql as $$
declare
  is_taken boolean;
begin
  -- One after the other for an agent: of two at a time neither sees the other.
  perform from agents where id = new.agent_id and deleted_at is null for no key update;
  if not found then
    raise exception 'agent_id: there is no such agent any more; choose another one'
      using errcode = 'check_violation', detail = format('Key (agent_id)=(%s) is of no agent.', new.agent_id);
  end if;
  execute format($q$select exists (select from %I where agent_id = $1 and name = $2 and coalesce(namespace, 'default') = $3
    and id <> $4 and deleted_at is null and coalesce(source::text, '') in ('', 'UI'))$q$, tg_table_name)
    into is_taken using new.agent_id, new.name, coalesce(new.namespace, 'default'), new.id;
  if is_taken then
    raise exception 'name: this agent has one named "%" already', new.name using errcode = 'unique_violation',
      detail = format('Key (name, agent_id)=(%s, %s) already exists.', new.name, new.agent_id);
  end if;
  return new;
end $$;

do $$
declare
  place text;
begin
  foreach place in array array['canaries', 'config_scrapers'] loop
    execute format($q$create trigger placed_on_agent before insert or update of name, namespace, source, deleted_at on %I
      for each row when (new.agent_id <> '00000000-0000-0000-0000-000000000000' and new.created_by is not null
        and new.deleted_at is null and coalesce(new.source::text, '') in ('', 'UI'))
      execute function placed_on_agent()$q$, place);
  end loop;
end $$;
