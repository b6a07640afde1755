-- What was typed as a password for a run of a playbook: sealed, beside the run, whose own parameters everybody reads. It is
-- forgotten when the run is over.
alter table playbook_run_states add column secrets text;

create function forget_run_secrets() returns trigger language plpgsql as $$
begin
  update playbook_run_states set secrets = null where run_id = new.id and secrets is not null;
  return null;
end $$;
create trigger forget_run_secrets after update of status on playbook_runs for each row
  when (new.status in ('completed', 'failed', 'cancelled')) execute function forget_run_secrets();
