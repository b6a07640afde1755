-- Runs from before passwords were sealed (0111), or brought in by an import, whose parameters have them in clear. Sealing
-- needs the server's key, so they are noted here, and the server hides them when it starts (decision 0085).
create table clear_password_runs (
  run_id uuid primary key references playbook_runs (id) on delete cascade
);
comment on table clear_password_runs is 'internal: runs of playbooks with passwords that are still to be hidden';

-- Answers how many there are; what is no object has no parameters.
create function note_clear_passwords() returns integer language plpgsql as $$
declare
  noted integer;
begin
  insert into clear_password_runs (run_id)
    select run.id from playbook_runs as run join playbooks as playbook on playbook.id = run.playbook_id
     where exists (
       select from jsonb_array_elements(json_items(coalesce(nullif(run.spec, '{}'), playbook.spec) -> 'parameters')) as asked
        where asked #>> '{properties,format}' = 'password'
          and coalesce(run.parameters ->> (asked ->> 'name'), '') not in ('', '***'))
    on conflict do nothing;
  get diagnostics noted = row_count;
  return noted;
end $$;

do $$ begin perform note_clear_passwords(); end $$;
