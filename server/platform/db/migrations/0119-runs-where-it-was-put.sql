-- A canary or scraper stays with whoever runs it. Its agent is given the secrets of its specification, so moving it would
-- hand somebody's secrets to another place; and the results of the one before would stand beside those of the next.
create function stays_with_agent() returns trigger language plpgsql as $$
begin
  raise exception 'agent_id: it runs where it was put; add it again for another agent' using errcode = 'check_violation';
end $$;

create trigger stays_with_agent before update of agent_id on canaries for each row
  when (old.agent_id is distinct from new.agent_id) execute function stays_with_agent();
create trigger stays_with_agent before update of agent_id on config_scrapers for each row
  when (old.agent_id is distinct from new.agent_id) execute function stays_with_agent();
