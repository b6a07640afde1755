-- An incident's times, and its history: rows that only these triggers write.

-- A time that the writer gives stays. A cancelled incident is over as well; any other status opens it again.
create function stamp_incident_end() returns trigger language plpgsql as $$
begin
  if new.status = 'resolved' then
    new.resolved := coalesce(new.resolved, now());
    new.closed := null;
  elsif new.status in ('closed', 'cancelled') then
    new.closed := coalesce(new.closed, now());
  else
    new.resolved := null;
    new.closed := null;
  end if;
  return new;
end $$;
create trigger stamp_incident_end_on_insert before insert on incidents
  for each row execute function stamp_incident_end();
create trigger stamp_incident_end_on_update before update of status on incidents
  for each row when (old.status is distinct from new.status) execute function stamp_incident_end();

create function tell_incident() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into incident_histories (incident_id, created_by, type, description)
      values (new.id, new.created_by, 'incident.created', new.id::text);
  else
    insert into incident_histories (incident_id, created_by, type, description)
      values (new.id, new.created_by, 'incident.status_updated', new.status);
  end if;
  return null;
end $$;
create trigger tell_incident_on_insert after insert on incidents
  for each row execute function tell_incident();
create trigger tell_incident_on_update after update of status on incidents
  for each row when (old.status is distinct from new.status) execute function tell_incident();

create function tell_responder() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, responder_id)
    values (new.incident_id, new.created_by, 'responder.created', new.id);
  return null;
end $$;
create trigger tell_responder after insert on responders
  for each row execute function tell_responder();

create function tell_comment() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, responder_id, comment_id)
    values (new.incident_id, new.created_by, 'responder.commented', new.responder_id, new.id);
  return null;
end $$;
create trigger tell_comment after insert on comments
  for each row when (new.responder_id is not null) execute function tell_comment();

create function tell_hypothesis() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, description, hypothesis_id)
    values (new.incident_id, new.created_by, tg_argv[0], new.status, new.id);
  return null;
end $$;
create trigger tell_hypothesis_on_insert after insert on hypotheses
  for each row execute function tell_hypothesis('hypothesis.created');
create trigger tell_hypothesis_on_update after update of status on hypotheses
  for each row when (old.status is distinct from new.status) execute function tell_hypothesis('hypothesis.status_updated');

create function tell_evidence() returns trigger language plpgsql as $$
begin
  insert into incident_histories (incident_id, created_by, type, hypothesis_id, evidence_id)
    select hypotheses.incident_id, new.created_by, tg_argv[0], new.hypothesis_id, new.id
    from hypotheses where hypotheses.id = new.hypothesis_id;
  return null;
end $$;
-- An evidence that is born as part of the definition of done tells both; triggers run in order of their names.
create trigger tell_evidence_1_created after insert on evidences
  for each row execute function tell_evidence('evidence.created');
create trigger tell_evidence_2_done_definition after insert on evidences
  for each row when (new.definition_of_done) execute function tell_evidence('evidence.done_definition_added');
create trigger tell_evidence_on_update after update of definition_of_done on evidences
  for each row when (new.definition_of_done and old.definition_of_done is not true)
  execute function tell_evidence('evidence.done_definition_added');
