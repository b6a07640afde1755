-- When a device wrote what its server got only later: work that was done without a network keeps the hour in which
-- it was done beside that of its arrival (`created_at`).

alter table incidents add column written_at timestamptz;
alter table incidents alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column incidents.written_at is 'when its author''s device wrote it, by the clock of the server';

alter table hypotheses add column written_at timestamptz;
alter table hypotheses alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column hypotheses.written_at is 'when its author''s device wrote it, by the clock of the server';

alter table evidences add column written_at timestamptz;
alter table evidences alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column evidences.written_at is 'when its author''s device wrote it, by the clock of the server';

alter table comments add column written_at timestamptz;
alter table comments alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column comments.written_at is 'when its author''s device wrote it, by the clock of the server';

alter table responders add column written_at timestamptz;
alter table responders alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column responders.written_at is 'when its author''s device wrote it, by the clock of the server';

alter table incident_histories add column written_at timestamptz;
alter table incident_histories alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column incident_histories.written_at is 'when its author''s device wrote it, by the clock of the server';

create or replace view feed_incidents as
  select id, incident_id, title, description, type, severity, status, created_by, commander_id, communicator_id,
    acknowledged, resolved, closed, created_at, updated_at, incident_rule_id, written_at
  from incidents where (incidents.closed is null or incidents.closed > now() - interval '90 days');

create or replace view feed_incident_records as
  select hypotheses.id, 'hypothesis' as kind, hypotheses.incident_id as incident_id, row_to_json(own) as own
    from hypotheses

    join incidents on incidents.id = hypotheses.incident_id
    cross join lateral (select hypotheses.parent_id, hypotheses.title, hypotheses.type, hypotheses.status, hypotheses.created_by, hypotheses.created_at, hypotheses.updated_at, hypotheses.written_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select evidences.id, 'evidence' as kind, hypotheses.incident_id as incident_id, row_to_json(own) as own
    from evidences
    join hypotheses on hypotheses.id = evidences.hypothesis_id
    join incidents on incidents.id = hypotheses.incident_id
    cross join lateral (select evidences.hypothesis_id, evidences.type, evidences.description, evidences.done, evidences.script, evidences.script_result, evidences.evidence, evidences.properties, evidences.config_id, evidences.config_change_id, evidences.config_analysis_id, evidences.component_id, evidences.check_id, evidences.created_by, evidences.created_at, evidences.updated_at, evidences.written_at,
      coalesce(evidences.definition_of_done, false) as definition_of_done) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select comments.id, 'comment' as kind, comments.incident_id as incident_id, row_to_json(own) as own
    from comments

    join incidents on incidents.id = comments.incident_id
    cross join lateral (select comments.hypothesis_id, comments.responder_id, comments.comment, comments.external_created_by, comments.created_by, comments.created_at, comments.updated_at, comments.written_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select responders.id, 'responder' as kind, responders.incident_id as incident_id, row_to_json(own) as own
    from responders

    join incidents on incidents.id = responders.incident_id
    cross join lateral (select responders.type, responders.person_id, responders.team_id, responders.external_id, responders.properties, responders.acknowledged, responders.resolved, responders.closed, responders.created_by, responders.created_at, responders.updated_at, responders.written_at,
      (select jsonb_build_object('state', delivery.state, 'attempts', delivery.attempts, 'error', delivery.error,
          'url', delivery.url, 'remote_status', delivery.remote_status, 'at', delivery.updated_at)
        from responder_deliveries as delivery where delivery.responder_id = responders.id) as delivery) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days') and responders.deleted_at is null
  union all
  select incident_histories.id, 'history' as kind, incident_histories.incident_id as incident_id, row_to_json(own) as own
    from incident_histories

    join incidents on incidents.id = incident_histories.incident_id
    cross join lateral (select incident_histories.type, incident_histories.description, incident_histories.hypothesis_id, incident_histories.evidence_id, incident_histories.responder_id, incident_histories.comment_id, incident_histories.created_by, incident_histories.created_at, incident_histories.written_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select incident_reads.id, 'read' as kind, incident_reads.incident_id as incident_id, row_to_json(own) as own
    from incident_reads

    join incidents on incidents.id = incident_reads.incident_id
    cross join lateral (select incident_reads.person_id, incident_reads.read_at, incident_reads.created_at, incident_reads.person_id as created_by) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days');
