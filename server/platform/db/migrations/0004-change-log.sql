-- The change log (design §4 law 2; docs/decisions/0011): one current entry per replicated entity, numbered in
-- commit order. The number is drawn at commit, by deferred triggers, under a lock that is held until the commit is
-- visible; so no reader ever sees a number before all smaller ones. Nothing else runs after these triggers, so
-- transactions meet on that lock last and can't deadlock there.

create table change_log_state (
  is_only boolean primary key default true check (is_only),
  epoch text not null,
  -- Entries of vanished entities up to here were forgotten: an older cursor has to start over.
  horizon bigint not null
);
insert into change_log_state (epoch, horizon) values (left(replace(gen_random_uuid()::text, '-', ''), 12), 0);

create sequence change_log_number;
create table change_log (
  collection text not null,
  entity_id text not null,
  seq bigint not null,
  is_minor boolean not null,
  major_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (collection, entity_id)
);
create unique index change_log_seq_key on change_log (seq);
create index change_log_changed_at_idx on change_log (changed_at);
create index change_log_collection_idx on change_log (collection, seq);

-- Only from deferred triggers, that is at commit. The lock is held until the commit is visible, so numbers become
-- visible in their order; what a rollback leaves out was never given to anybody.
-- A minor change is worth telling, but not worth waking anybody for. What was major a moment ago stays so, or
-- readers that come by for major changes only would hear of it late.
create function log_change(kind text, entity text, minor boolean) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7105334022);
  insert into change_log as log (collection, entity_id, seq, is_minor, major_at)
    values (kind, entity, nextval('change_log_number'), minor, case when not minor then clock_timestamp() end)
    on conflict (collection, entity_id) do update set
      seq = excluded.seq,
      is_minor = excluded.is_minor
        and (log.major_at is null or log.major_at < clock_timestamp() - interval '5 seconds'),
      major_at = coalesce(excluded.major_at, log.major_at),
      changed_at = excluded.changed_at;
end $$;

-- Arguments: collection, and the columns whose values, joined by colons, are the entity's id.
create function note_change() returns trigger language plpgsql as $$
declare
  fields jsonb;
  entity text;
begin
  if tg_op = 'DELETE' then fields := to_jsonb(old); else fields := to_jsonb(new); end if;
  select string_agg(coalesce(fields ->> part, ''), ':' order by place) into entity
    from unnest(string_to_array(tg_argv[1], ',')) with ordinality as parts (part, place);
  if entity <> '' then
    perform log_change(tg_argv[0], entity, false);
  end if;
  return null;
end $$;

create constraint trigger note_new after insert or delete on incidents deferrable initially deferred for each row execute function note_change('incidents', 'id');
create constraint trigger note_change after update on incidents deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('incidents', 'id');
create constraint trigger note_new after insert or delete on hypotheses deferrable initially deferred for each row execute function note_change('incident_records', 'id');
create constraint trigger note_change after update on hypotheses deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('incident_records', 'id');
create constraint trigger note_new after insert or delete on evidences deferrable initially deferred for each row execute function note_change('incident_records', 'id');
create constraint trigger note_change after update on evidences deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('incident_records', 'id');
create constraint trigger note_new after insert or delete on comments deferrable initially deferred for each row execute function note_change('incident_records', 'id');
create constraint trigger note_change after update on comments deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('incident_records', 'id');
create constraint trigger note_new after insert or delete on responders deferrable initially deferred for each row execute function note_change('incident_records', 'id');
create constraint trigger note_change after update on responders deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('incident_records', 'id');
create constraint trigger note_new after insert or delete on incident_histories deferrable initially deferred for each row execute function note_change('incident_records', 'id');
create constraint trigger note_change after update on incident_histories deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('incident_records', 'id');
create constraint trigger note_new after insert or delete on canaries deferrable initially deferred for each row execute function note_change('canaries', 'id');
create constraint trigger note_change after update on canaries deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('canaries', 'id');
create constraint trigger note_new after insert or delete on components deferrable initially deferred for each row execute function note_change('components', 'id');
create constraint trigger note_change after update on components deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('components', 'id');
create constraint trigger note_new after insert or delete on playbooks deferrable initially deferred for each row execute function note_change('playbooks', 'id');
create constraint trigger note_change after update on playbooks deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('playbooks', 'id');
create constraint trigger note_new after insert or delete on playbook_runs deferrable initially deferred for each row execute function note_change('playbook_runs', 'id');
create constraint trigger note_change after update on playbook_runs deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('playbook_runs', 'id');
create constraint trigger note_new after insert or delete on playbook_run_actions deferrable initially deferred for each row execute function note_change('playbook_runs', 'playbook_run_id');
create constraint trigger note_change after update on playbook_run_actions deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('playbook_runs', 'playbook_run_id');
create constraint trigger note_new after insert or delete on notification_send_history deferrable initially deferred for each row execute function note_change('notification_history', 'id');
create constraint trigger note_change after update on notification_send_history deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('notification_history', 'id');
create constraint trigger note_new after insert or delete on config_items deferrable initially deferred for each row execute function note_change('configs', 'id');
create constraint trigger note_change after update on config_items deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at,last_scraped_time}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at,last_scraped_time}'::text[]) execute function note_change('configs', 'id');
create constraint trigger note_new after insert or delete on config_analysis deferrable initially deferred for each row execute function note_change('config_insights', 'id');
create constraint trigger note_change after update on config_analysis deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('config_insights', 'id');
create constraint trigger note_new after insert or delete on config_changes deferrable initially deferred for each row execute function note_change('config_changes', 'id');
create constraint trigger note_change after update on config_changes deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('config_changes', 'id');
create constraint trigger note_new after insert or delete on config_relationships deferrable initially deferred for each row execute function note_change('config_relationships', 'related_id,config_id,relation');
create constraint trigger note_change after update on config_relationships deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('config_relationships', 'related_id,config_id,relation');
create constraint trigger note_new after insert or delete on job_history deferrable initially deferred for each row execute function note_change('job_histories', 'id');
create constraint trigger note_change after update on job_history deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('job_histories', 'id');
create constraint trigger note_new after insert or delete on connections deferrable initially deferred for each row execute function note_change('connections', 'id');
create constraint trigger note_change after update on connections deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('connections', 'id');
create constraint trigger note_new after insert or delete on teams deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on teams deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('resources', 'id');
create constraint trigger note_new after insert or delete on team_members deferrable initially deferred for each row execute function note_change('resources', 'team_id');
create constraint trigger note_change after update on team_members deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('resources', 'team_id');
create constraint trigger note_new after insert or delete on people deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on people deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at,last_login}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at,last_login}'::text[]) execute function note_change('resources', 'id');
create constraint trigger note_new after insert or delete on agents deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on agents deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at,last_seen,last_received}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at,last_seen,last_received}'::text[]) execute function note_change('resources', 'id');
create constraint trigger note_new after insert or delete on topologies deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on topologies deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('resources', 'id');
create constraint trigger note_new after insert or delete on config_scrapers deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on config_scrapers deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('resources', 'id');
create constraint trigger note_new after insert or delete on notifications deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on notifications deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('resources', 'id');
create constraint trigger note_new after insert or delete on notification_silences deferrable initially deferred for each row execute function note_change('resources', 'id');
create constraint trigger note_change after update on notification_silences deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[]) execute function note_change('resources', 'id');

create function note_property() returns trigger language plpgsql as $$
begin
  perform log_change('resources', 'property:' || coalesce(new.name, old.name), false);
  return null;
end $$;
create constraint trigger note_change after insert or update or delete on properties
  deferrable initially deferred for each row execute function note_property();

-- A check that ran again with the same result says so in minor changes.
create function note_check_change() returns trigger language plpgsql as $$
declare
  running constant text[] := '{last_runtime,next_runtime,updated_at,is_pushed}';
begin
  if tg_op = 'DELETE' then
    perform log_change('checks', old.id::text, false);
  elsif tg_op = 'INSERT' then
    perform log_change('checks', new.id::text, false);
  else
    perform log_change('checks', new.id::text, to_jsonb(old) - running = to_jsonb(new) - running);
  end if;
  return null;
end $$;
create constraint trigger note_change after insert or update or delete on checks
  deferrable initially deferred for each row execute function note_check_change();

create function note_check_summary() returns trigger language plpgsql as $$
begin
  perform log_change('checks', new.check_id::text, true);
  return null;
end $$;
create constraint trigger note_change after insert or update on check_status_summary
  deferrable initially deferred for each row execute function note_check_summary();

-- A check shows its canary's name and labels, and its agent's name.
create function note_checks_of_canary() returns trigger language plpgsql as $$
begin
  perform log_change('checks', checks.id::text, false) from checks where checks.canary_id = new.id;
  return null;
end $$;
create constraint trigger note_checks after update on canaries deferrable initially deferred for each row
  when (old.name is distinct from new.name or old.namespace is distinct from new.namespace
    or old.labels is distinct from new.labels)
  execute function note_checks_of_canary();
create function note_checks_of_agent() returns trigger language plpgsql as $$
begin
  perform log_change('checks', checks.id::text, false) from checks where checks.agent_id = new.id;
  return null;
end $$;
create constraint trigger note_checks after update on agents deferrable initially deferred for each row
  when (old.name is distinct from new.name) execute function note_checks_of_agent();

-- The newest job of a canary says whether it could be loaded.
create function note_canary_of_job() returns trigger language plpgsql as $$
begin
  perform log_change('canaries', coalesce(new.resource_id, old.resource_id), false);
  return null;
end $$;
create constraint trigger note_canary after insert or update on job_history deferrable initially deferred for each row
  when (new.resource_type = 'canary' and new.resource_id is not null) execute function note_canary_of_job();
create constraint trigger note_canary_gone after delete on job_history deferrable initially deferred for each row
  when (old.resource_type = 'canary' and old.resource_id is not null) execute function note_canary_of_job();

-- An incident that goes out of everybody's sight, or comes back, takes its records along.
create function note_records_of_incident() returns trigger language plpgsql as $$
begin
  perform log_change('incident_records', record.id::text, false) from (
    select id from hypotheses where incident_id = new.id
    union all select evidences.id from evidences
      join hypotheses on hypotheses.id = evidences.hypothesis_id where hypotheses.incident_id = new.id
    union all select id from comments where incident_id = new.id
    union all select id from responders where incident_id = new.id
    union all select id from incident_histories where incident_id = new.id
  ) as record;
  return null;
end $$;

create view feed_incidents as
  select id, incident_id, title, description, type, severity, status, created_by, commander_id, communicator_id,
    acknowledged, resolved, closed, created_at, updated_at
  from incidents where (incidents.closed is null or incidents.closed > now() - interval '90 days');

create view feed_incident_records as
  select hypotheses.id, 'hypothesis' as kind, hypotheses.incident_id as incident_id, row_to_json(own) as own
    from hypotheses

    join incidents on incidents.id = hypotheses.incident_id
    cross join lateral (select hypotheses.parent_id, hypotheses.title, hypotheses.type, hypotheses.status, hypotheses.created_by, hypotheses.created_at, hypotheses.updated_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select evidences.id, 'evidence' as kind, hypotheses.incident_id as incident_id, row_to_json(own) as own
    from evidences
    join hypotheses on hypotheses.id = evidences.hypothesis_id
    join incidents on incidents.id = hypotheses.incident_id
    cross join lateral (select evidences.hypothesis_id, evidences.type, evidences.description, evidences.done, evidences.script, evidences.script_result, evidences.evidence, evidences.properties, evidences.config_id, evidences.config_change_id, evidences.config_analysis_id, evidences.component_id, evidences.check_id, evidences.created_by, evidences.created_at, evidences.updated_at,
      coalesce(evidences.definition_of_done, false) as definition_of_done) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select comments.id, 'comment' as kind, comments.incident_id as incident_id, row_to_json(own) as own
    from comments

    join incidents on incidents.id = comments.incident_id
    cross join lateral (select comments.hypothesis_id, comments.responder_id, comments.comment, comments.external_created_by, comments.created_by, comments.created_at, comments.updated_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days')
  union all
  select responders.id, 'responder' as kind, responders.incident_id as incident_id, row_to_json(own) as own
    from responders

    join incidents on incidents.id = responders.incident_id
    cross join lateral (select responders.type, responders.person_id, responders.team_id, responders.external_id, responders.properties, responders.acknowledged, responders.resolved, responders.closed, responders.created_by, responders.created_at, responders.updated_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days') and responders.deleted_at is null
  union all
  select incident_histories.id, 'history' as kind, incident_histories.incident_id as incident_id, row_to_json(own) as own
    from incident_histories

    join incidents on incidents.id = incident_histories.incident_id
    cross join lateral (select incident_histories.type, incident_histories.description, incident_histories.hypothesis_id, incident_histories.evidence_id, incident_histories.responder_id, incident_histories.comment_id, incident_histories.created_by, incident_histories.created_at) as own
    where (incidents.closed is null or incidents.closed > now() - interval '90 days');

create view feed_checks as select * from check_summary where deleted_at is null;

create view feed_canaries as
  select id, name, namespace, labels, source, agent_id, updated_at, deleted_at, job_status, error
  from canaries_with_status;

create view feed_components as
  select id, topology_id, external_id, parent_id, config_id, name, text, namespace, labels, hidden, silenced, status,
    health, description, lifecycle, status_reason, icon, type, owner, properties, path, summary, is_leaf,
    cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, agent_id, created_at, updated_at
  from components where deleted_at is null;

create view feed_playbooks as
  select id, namespace, name, title, icon, description, category, source, created_by, created_at, updated_at
  from playbooks where deleted_at is null;

create view feed_playbook_runs as
  select id, playbook_id, status, created_at, start_time, scheduled_time, end_time, check_id, config_id, component_id,
    agent_id, error, created_by,
    coalesce((
      select jsonb_agg(jsonb_build_object('id', action.id, 'name', action.name, 'status', action.status,
        'start_time', action.start_time, 'end_time', action.end_time, 'error', action.error)
        order by action.scheduled_time, action.id)
      from playbook_run_actions as action where action.playbook_run_id = playbook_runs.id
    ), '[]') as actions
  from playbook_runs where created_at > now() - interval '7 days';

create view feed_notification_history as
  select id, notification_id, status, count, first_observed, source_event, resource_id, person_id, error,
    duration_millis, created_at
  from notification_send_history where created_at > now() - interval '7 days';

create view feed_configs as
  select id, scraper_id, config_class, external_id, type, name, description, source, labels, tags, status, health,
    ready, parent_id, path, cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, agent_id, created_by,
    created_at, updated_at, deleted_at, delete_reason
  from config_items where deleted_at is null or deleted_at > now() - interval '7 days';

create view feed_config_insights as
  select id, config_id, scraper_id, source, analyzer, analysis_type, severity, summary, status, message,
    first_observed, last_observed, created_by
  from config_analysis where status = 'open';

create view feed_config_changes as
  select id, config_id, external_change_id, external_created_by, change_type, severity, source, summary, created_by,
    created_at, count, first_observed
  from config_changes where created_at > now() - interval '7 days';

create view feed_config_relationships as
  select related_id::text || ':' || config_id::text || ':' || coalesce(relation, '') as id, config_id, related_id,
    coalesce(relation, '') as relation, selector_id, created_at, updated_at
  from config_relationships where deleted_at is null;

create view feed_job_histories as
  select id, agent_id, name, success_count, error_count, hostname, duration_millis, resource_type, resource_id,
    resource_name, status, time_start, time_end, created_at
  from job_histories where created_at > now() - interval '2 days';

create view feed_connections as
  select id, name, namespace, type, source, created_by, created_at, updated_at
  from connections where deleted_at is null;

create view feed_resources as
  select teams.id::text as id, 'team' as kind, row_to_json(own) as own
    from teams cross join lateral (select teams.name, teams.icon, teams.source, teams.created_at, teams.updated_at,
      (select coalesce(jsonb_agg(member.person_id order by member.person_id), '[]') from team_members as member
        where member.team_id = teams.id) as members) as own where teams.deleted_at is null
  union all
  select people.id::text as id, 'person' as kind, row_to_json(own) as own
    from people cross join lateral (select people.name, people.avatar, people.type, people.team_id, people.created_at, people.updated_at) as own where people.deleted_at is null
  union all
  select agents.id::text as id, 'agent' as kind, row_to_json(own) as own
    from agents cross join lateral (select agents.name, agents.hostname, agents.description, agents.version, agents.created_at, agents.updated_at) as own where agents.deleted_at is null
  union all
  select topologies.id::text as id, 'topology' as kind, row_to_json(own) as own
    from topologies cross join lateral (select topologies.name, topologies.namespace, topologies.labels, topologies.source, topologies.agent_id, topologies.created_at, topologies.updated_at) as own where topologies.deleted_at is null
  union all
  select config_scrapers.id::text as id, 'scraper' as kind, row_to_json(own) as own
    from config_scrapers cross join lateral (select config_scrapers.name, config_scrapers.description, config_scrapers.source, config_scrapers.agent_id, config_scrapers.created_at, config_scrapers.updated_at) as own where config_scrapers.deleted_at is null
  union all
  select notifications.id::text as id, 'notification_rule' as kind, row_to_json(own) as own
    from notifications cross join lateral (select notifications.name, notifications.namespace, notifications.events, notifications.title, notifications.error, notifications.person_id, notifications.team_id, notifications.source, notifications.created_at, notifications.updated_at) as own where notifications.deleted_at is null
  union all
  select notification_silences.id::text as id, 'silence' as kind, row_to_json(own) as own
    from notification_silences cross join lateral (select notification_silences.namespace, notification_silences.description, notification_silences.recursive, notification_silences.config_id, notification_silences.check_id, notification_silences.canary_id, notification_silences.component_id, notification_silences.source, notification_silences.created_by, notification_silences.created_at, notification_silences.updated_at, notification_silences."from", notification_silences."until") as own where notification_silences.deleted_at is null
  union all
  select 'property:' || properties.name as id, 'property' as kind, row_to_json(own) as own
    from properties cross join lateral (select properties.name, properties.value, properties.created_at, properties.updated_at) as own
    where properties.deleted_at is null;

create constraint trigger note_records after update on incidents deferrable initially deferred for each row
  when (old.closed is distinct from new.closed and least(old.closed, new.closed) < now() - interval '30 days')
  execute function note_records_of_incident();
