-- What the specification forbids is refused by the database, whatever the way in (spec 3 §3, §4; schema §1.3):
-- words that a column doesn't know, steps that an incident can't take, empty titles, authors who aren't the sender.
-- An import lets the rows of other systems in as they are (db/transfer), so only what changes is looked at. Who
-- sends is `holdfast.actor` (db/act-as-query.ts); the server's own work may speak for anybody.

create function refuse_unknown_word(place text, field text, word text, words text[]) returns void
  language plpgsql as $$
begin
  if word = any(words) then return; end if;
  raise exception '% of % must be one of %, not "%"', field, place, array_to_string(words, ', '), left(word, 100)
    using errcode = 'check_violation';
end $$;

-- Where a status may go (spec 3 §4): src/domain/incident/incident.ts says the same. A word that came in from
-- elsewhere may become anything; an incident comes in as cancelled, and isn't made so here.
create function incident_may_become(before text, after text) returns boolean language sql immutable as $$
  select case before
    when after then true
    when 'new' then after in ('open', 'investigating', 'mitigated', 'resolved', 'closed')
    when 'open' then after in ('investigating', 'mitigated', 'resolved', 'closed')
    when 'investigating' then after in ('mitigated', 'resolved', 'closed')
    when 'mitigated' then after in ('resolved', 'closed', 'open')
    when 'resolved' then after in ('closed', 'open')
    when 'closed' then after = 'open'
    else after <> 'cancelled'
  end
$$;

create function check_row_of_incidents() returns trigger language plpgsql as $$
begin
  new.status := lower(new.status);
  new.severity := lower(new.severity);
  -- Both spellings of one word are in use (schema §10).
  new.type := case lower(replace(new.type, '_', '')) when 'technicaldebt' then 'technicalDebt' else lower(new.type) end;

  if btrim(new.title) = '' and (tg_op = 'INSERT' or new.title is distinct from old.title) then
    raise exception 'title of % must not be empty', tg_table_name using errcode = 'check_violation';
  end if;
  if tg_op = 'INSERT' or new.status is distinct from old.status then
    perform refuse_unknown_word(tg_table_name, 'status', new.status, array['new', 'open', 'investigating', 'mitigated', 'resolved', 'closed', 'cancelled']);
  end if;
  if tg_op = 'INSERT' or new.severity is distinct from old.severity then
    perform refuse_unknown_word(tg_table_name, 'severity', new.severity, array['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical']);
  end if;
  if tg_op = 'INSERT' or new.type is distinct from old.type then
    perform refuse_unknown_word(tg_table_name, 'type', new.type, array['cost', 'availability', 'performance', 'security', 'integration', 'compliance', 'technicalDebt', 'reliability']);
  end if;
  if tg_op = 'UPDATE' and not incident_may_become(old.status, new.status) then
    raise exception 'an incident can''t go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_row before insert or update of title, status, severity, type on incidents
  for each row execute function check_row_of_incidents();

create function check_row_of_hypotheses() returns trigger language plpgsql as $$
begin
  new.status := lower(new.status);
  if btrim(new.title) = '' and (tg_op = 'INSERT' or new.title is distinct from old.title) then
    raise exception 'title of % must not be empty', tg_table_name using errcode = 'check_violation';
  end if;
  if tg_op = 'INSERT' or new.status is distinct from old.status then
    perform refuse_unknown_word(tg_table_name, 'status', new.status, array['proven', 'likely', 'possible', 'unlikely', 'improbable', 'disproven']);
  end if;
  return new;
end $$;
create trigger check_row before insert or update of title, status on hypotheses
  for each row execute function check_row_of_hypotheses();

create function check_row_of_evidences() returns trigger language plpgsql as $$
begin

  if tg_op = 'INSERT' or new.type is distinct from old.type then
    perform refuse_unknown_word(tg_table_name, 'type', new.type, array['log', 'config', 'topology', 'component', 'check', 'config_analysis', 'config_change', 'comment']);
  end if;
  return new;
end $$;
create trigger check_row before insert or update of type on evidences
  for each row execute function check_row_of_evidences();

create function check_row_of_config_analysis() returns trigger language plpgsql as $$
begin
  new.severity := lower(new.severity);
  new.status := lower(new.status);
  if new.status is null then return new; end if;
  if tg_op = 'INSERT' or new.status is distinct from old.status then
    perform refuse_unknown_word(tg_table_name, 'status', new.status, array['open', 'resolved', 'silenced']);
  end if;
  return new;
end $$;
create trigger check_row before insert or update of status, severity on config_analysis
  for each row execute function check_row_of_config_analysis();

create function check_row_of_config_changes() returns trigger language plpgsql as $$
begin
  new.severity := lower(new.severity);
  return new;
end $$;
create trigger check_row before insert or update of severity on config_changes
  for each row execute function check_row_of_config_changes();

create function check_row_of_playbook_runs() returns trigger language plpgsql as $$
begin

  if tg_op = 'INSERT' or new.status is distinct from old.status then
    perform refuse_unknown_word(tg_table_name, 'status', new.status, array['scheduled', 'running', 'waiting', 'sleeping', 'completed', 'failed', 'cancelled', 'pending_approval', 'pending']);
  end if;
  return new;
end $$;
create trigger check_row before insert or update of status on playbook_runs
  for each row execute function check_row_of_playbook_runs();

create function check_row_of_playbook_run_actions() returns trigger language plpgsql as $$
begin

  if tg_op = 'INSERT' or new.status is distinct from old.status then
    perform refuse_unknown_word(tg_table_name, 'status', new.status, array['scheduled', 'running', 'waiting', 'sleeping', 'completed', 'failed', 'skipped']);
  end if;
  return new;
end $$;
create trigger check_row before insert or update of status on playbook_run_actions
  for each row execute function check_row_of_playbook_run_actions();

update incidents set severity = lower(severity) where severity <> lower(severity);
update config_analysis set severity = lower(severity) where severity <> lower(severity);
update config_changes set severity = lower(severity) where severity <> lower(severity);

create function refuse_other_author(field text) returns void language plpgsql as $$
begin
  raise exception '%: leave it out of changes, and name yourself in what you add', field
    using errcode = 'insufficient_privilege';
end $$;

create function keep_author() returns trigger language plpgsql as $$
declare
  actor text := current_setting('holdfast.actor', true);
begin
  if tg_op = 'UPDATE' then
    if new.created_by is distinct from old.created_by then perform refuse_other_author('created_by'); end if;
  elsif new.created_by is null then
    new.created_by := actor;
  elsif new.created_by::text <> actor then
    perform refuse_other_author('created_by');
  end if;
  return new;
end $$;

-- An approval is as good as the name under it.
create function keep_approver() returns trigger language plpgsql as $$
begin
  if new.person_id is distinct from current_setting('holdfast.actor', true)::uuid then
    perform refuse_other_author('person_id');
  end if;
  return new;
end $$;
create trigger keep_author before insert or update on playbook_approvals
  for each row when (current_setting('holdfast.actor', true) <> '') execute function keep_approver();

do $$
declare
  place text;
begin
  for place in
    select tab.relname from pg_class as tab join pg_attribute as col on col.attrelid = tab.oid
    where tab.relnamespace = 'public'::regnamespace and tab.relkind = 'r' and col.attname = 'created_by'
      and tab.relname <> 'incident_histories'
    order by tab.relname
  loop
    execute format('create trigger keep_author before insert or update on %I for each row
      when (current_setting(''holdfast.actor'', true) <> '''') execute function keep_author()', place);
  end loop;
end $$;

-- Whoever deletes an agent ends the tokens of its person: that must be an agent's, given by the server itself.
create function check_agent_person() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.person_id is not distinct from old.person_id then return new; end if;
  if tg_op = 'INSERT' and new.person_id is null then return new; end if;
  if current_setting('holdfast.actor', true) <> '' then
    raise exception 'person_id: an agent gets its account from the server' using errcode = 'insufficient_privilege';
  end if;
  if new.person_id is not null and not exists (select from people where id = new.person_id and type = 'agent') then
    raise exception 'person_id of agents must be the account of an agent' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_agent_person before insert or update of person_id on agents
  for each row execute function check_agent_person();

create or replace function tell_hypothesis() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, description, hypothesis_id)
    values (new.incident_id, case tg_op when 'INSERT' then new.created_by else coalesce(nullif(current_setting('holdfast.actor', true), '')::uuid, new.created_by) end, tg_argv[0],
      new.status, new.id);
  return null;
end $$;

create or replace function tell_evidence() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, hypothesis_id, evidence_id)
    select hypotheses.incident_id, case tg_op when 'INSERT' then new.created_by else coalesce(nullif(current_setting('holdfast.actor', true), '')::uuid, new.created_by) end, tg_argv[0],
      new.hypothesis_id, new.id
    from hypotheses where hypotheses.id = new.hypothesis_id;
  return null;
end $$;
