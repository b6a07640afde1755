/**
 * What readers of the change feed see of each collection: rows in scope (design §4, table of scopes) with the
 * columns that lists need. Never a secret, never a body. Shapes are those of src/contract/collections.ts.
 */

const INCIDENT_SCOPE = "(incidents.closed is null or incidents.closed > now() - interval '90 days')";

function recordOf(kind: string, table: string, columns: string): string {
  const on = table === 'evidences' ? 'hypotheses.incident_id' : `${table}.incident_id`;
  return `select ${table}.id, '${kind}' as kind, ${on} as incident_id, row_to_json(own) as own
    from ${table}
    ${table === 'evidences' ? 'join hypotheses on hypotheses.id = evidences.hypothesis_id' : ''}
    join incidents on incidents.id = ${on}
    cross join lateral (select ${columns}) as own
    where ${INCIDENT_SCOPE}${table === 'responders' ? ' and responders.deleted_at is null' : ''}`;
}

const resource = (kind: string, table: string, columns: string): string =>
  `select ${table}.id::text as id, '${kind}' as kind, row_to_json(own) as own
    from ${table} cross join lateral (select ${columns}) as own where ${table}.deleted_at is null`;

const own = (table: string, names: string): string =>
  names
    .split(/\s+/)
    .map((name) => `${table}.${name}`)
    .join(', ');

export const FEED_VIEWS = `
create view feed_incidents as
  select id, incident_id, title, description, type, severity, status, created_by, commander_id, communicator_id,
    acknowledged, resolved, closed, created_at, updated_at
  from incidents where ${INCIDENT_SCOPE};

create view feed_incident_records as
  ${recordOf('hypothesis', 'hypotheses', own('hypotheses', 'parent_id title type status created_by created_at updated_at'))}
  union all
  ${recordOf(
    'evidence',
    'evidences',
    `${own('evidences', 'hypothesis_id type description done script script_result evidence properties config_id config_change_id config_analysis_id component_id check_id created_by created_at updated_at')},
      coalesce(evidences.definition_of_done, false) as definition_of_done`,
  )}
  union all
  ${recordOf('comment', 'comments', own('comments', 'hypothesis_id responder_id comment external_created_by created_by created_at updated_at'))}
  union all
  ${recordOf('responder', 'responders', own('responders', 'type person_id team_id external_id properties acknowledged resolved closed created_by created_at updated_at'))}
  union all
  ${recordOf('history', 'incident_histories', own('incident_histories', 'type description hypothesis_id evidence_id responder_id comment_id created_by created_at'))};

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
  ${resource(
    'team',
    'teams',
    `${own('teams', 'name icon source created_at updated_at')},
      (select coalesce(jsonb_agg(member.person_id order by member.person_id), '[]') from team_members as member
        where member.team_id = teams.id) as members`,
  )}
  union all
  ${resource('person', 'people', own('people', 'name avatar type team_id created_at updated_at'))}
  union all
  ${resource('agent', 'agents', own('agents', 'name hostname description version created_at updated_at'))}
  union all
  ${resource('topology', 'topologies', own('topologies', 'name namespace labels source agent_id created_at updated_at'))}
  union all
  ${resource('scraper', 'config_scrapers', own('config_scrapers', 'name description source agent_id created_at updated_at'))}
  union all
  ${resource('notification_rule', 'notifications', own('notifications', 'name namespace events title error person_id team_id source created_at updated_at'))}
  union all
  ${resource('silence', 'notification_silences', `${own('notification_silences', 'namespace description recursive config_id check_id canary_id component_id source created_by created_at updated_at')}, notification_silences."from", notification_silences."until"`)}
  union all
  select 'property:' || properties.name as id, 'property' as kind, row_to_json(own) as own
    from properties cross join lateral (select properties.name, properties.value, properties.created_at, properties.updated_at) as own
    where properties.deleted_at is null;
`;
