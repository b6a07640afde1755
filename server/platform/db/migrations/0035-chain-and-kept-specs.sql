-- The chain of hypotheses is root, factor, solution (spec 3 §3): a solution right below a root is refused, whatever
-- the way in. Literal credentials leave every specification when it is written, as migration 0021 has it for
-- canaries and scrapers. An import has its triggers at rest: the chains of other systems stay as they are.

create function check_chain() returns trigger language plpgsql as $$
begin
  if (new.type = 'solution' and exists (select from hypotheses where id = new.parent_id and type = 'root'))
    or (new.type = 'root' and tg_op = 'UPDATE'
      and exists (select from hypotheses where parent_id = new.id and type = 'solution')) then
    raise exception 'type: a solution stands below a factor, not right below the root' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_chain before insert or update of type, parent_id on hypotheses
  for each row execute function check_chain();

create trigger keep_spec_secrets before insert or update of spec on playbooks
  for each row execute function keep_spec_secrets();
create trigger forget_spec_secrets after delete on playbooks
  for each row execute function forget_spec_secrets();

create trigger keep_spec_secrets before insert or update of spec on topologies
  for each row execute function keep_spec_secrets();
create trigger forget_spec_secrets after delete on topologies
  for each row execute function forget_spec_secrets();

create trigger keep_spec_secrets before insert or update of spec on logging_backends
  for each row execute function keep_spec_secrets();
create trigger forget_spec_secrets after delete on logging_backends
  for each row execute function forget_spec_secrets();

create trigger keep_spec_secrets before insert or update of spec on integrations
  for each row execute function keep_spec_secrets();
create trigger forget_spec_secrets after delete on integrations
  for each row execute function forget_spec_secrets();

create trigger keep_spec_secrets before insert or update of spec on incident_rules
  for each row execute function keep_spec_secrets();
create trigger forget_spec_secrets after delete on incident_rules
  for each row execute function forget_spec_secrets();
-- A run has its playbook's specification as it was; what signs in is kept with the playbook.
create trigger keep_spec_secrets before insert or update of spec on playbook_runs
  for each row execute function show_check_spec();
update playbooks set spec = spec where shown_spec(spec, false) <> spec;
update topologies set spec = spec where shown_spec(spec, false) <> spec;
update logging_backends set spec = spec where shown_spec(spec, false) <> spec;
update integrations set spec = spec where shown_spec(spec, false) <> spec;
update incident_rules set spec = spec where shown_spec(spec, false) <> spec;
update playbook_runs set spec = spec where shown_spec(spec, false) <> spec;
set constraints all immediate;
