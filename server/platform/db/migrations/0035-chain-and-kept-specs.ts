/**
 * The chain of hypotheses is root, factor, solution (spec 3 §3): a solution right below a root is refused, whatever the
 * way in. Literal credentials leave every specification when it is written, as migration 0021 has it for canaries and
 * scrapers. An import has its triggers at rest: the chains of other systems stay as they are.
 */

const CHAIN = `
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
`;

/** With a column `spec`, and not looked after by 0018 and 0021. */
const TABLES = ['playbooks', 'topologies', 'logging_backends', 'integrations', 'incident_rules'];

const TRIGGERS = TABLES.map(
  (table) => `
create trigger keep_spec_secrets before insert or update of spec on ${table}
  for each row execute function keep_spec_secrets();
create trigger forget_spec_secrets after delete on ${table}
  for each row execute function forget_spec_secrets();`,
).join('\n');

const RUNS = `
-- A run has its playbook's specification as it was; what signs in is kept with the playbook.
create trigger keep_spec_secrets before insert or update of spec on playbook_runs
  for each row execute function show_check_spec();
`;

/** What stood there before, and what a data set brought along with its triggers at rest. */
export const HIDE_STORED = [...TABLES, 'playbook_runs']
  .map((table) => `update ${table} set spec = spec where shown_spec(spec, false) <> spec;`)
  .join('\n');

export const up = `${CHAIN}${TRIGGERS}${RUNS}${HIDE_STORED}
set constraints all immediate;
`;
