/** Views of jobs, events, notifications, playbooks, connections and whoever is involved (schema §1.6). */
import { AGENT_COLUMN, JOB_COLUMNS, jobJoin, jobLastFailed } from './0006-model-columns.ts';

const NOTIFICATION_SCHEMES = `'{bark,discord,smtp,gotify,googlechat,ifttt,join,mattermost,matrix,ntfy,opsgenie,
    pushbullet,pushover,rocketchat,slack,teams,telegram,zulip}'`;

/** Rows that were not sent to another server yet, by table. */
const PUSHED_TABLES = [
  'artifacts',
  'canaries',
  'check_component_relationships',
  'check_config_relationships',
  'check_statuses',
  'checks',
  'component_relationships',
  'components',
  'config_analysis',
  'config_changes',
  'config_component_relationships',
  'config_items',
  'config_relationships',
  'config_scrapers',
  'job_history',
  'playbook_run_actions',
  'topologies',
];

interface Integration {
  table: string;
  type: string;
  description: string;
  source: string;
  /** Whether the server runs jobs for it, here or on an agent. */
  hasJobs: boolean;
}

const INTEGRATIONS: readonly Integration[] = [
  {
    table: 'config_scrapers',
    type: 'scrapers',
    description: 'own.description',
    source: 'own.source',
    hasJobs: true,
  },
  { table: 'topologies', type: 'topologies', description: "''::text", source: 'own.source', hasJobs: true },
  {
    table: 'logging_backends',
    type: 'logging_backends',
    description: "''::text",
    source: 'own.source',
    hasJobs: false,
  },
];

const RESOURCE_TYPES: Readonly<Record<string, string>> = {
  scrapers: 'config_scraper',
  topologies: 'topology',
};

const integrationRows = ({ table, type, description, source, hasJobs }: Integration): string => `
  select own.id, own.name, ${description} as description, '${type}' as integration_type, ${source} as source,
    own.agent_id, own.created_at, own.updated_at, own.deleted_at, own.created_by,
    ${JOB_COLUMNS}, ${jobLastFailed('own.id', RESOURCE_TYPES[type] ?? type)},
    ${hasJobs ? AGENT_COLUMN : 'null::jsonb as agent'},
    people.name as creator_name, people.avatar as creator_avatar, people.title as creator_title,
    people.email as creator_email
  from ${table} as own
  left join people on people.id = own.created_by
  ${hasJobs ? 'left join agents on agents.id = own.agent_id' : ''}
  ${hasJobs ? jobJoin('own.id') : 'left join job_history as job on false'}`;

const STATUS_VIEWS = `
create view config_scrapers_with_status as
  select config_scrapers.*, ${JOB_COLUMNS}, ${jobLastFailed('config_scrapers.id', 'config_scraper')}, ${AGENT_COLUMN}
  from config_scrapers
  left join agents on agents.id = config_scrapers.agent_id
  ${jobJoin('config_scrapers.id')}
  where config_scrapers.deleted_at is null;

create view teams_with_status as
  select teams.*, ${JOB_COLUMNS}, ${jobLastFailed('teams.id', 'team')}
  from teams
  ${jobJoin('teams.id')}
  where teams.deleted_at is null;

create view integrations_with_status as
${INTEGRATIONS.map(integrationRows).join('\n  union all')};

create view agents_summary as
  select agents.*,
    (select nullif(count(*), 0) from config_items where config_items.agent_id = agents.id) as config_count,
    (select nullif(count(*), 0) from config_scrapers where config_scrapers.agent_id = agents.id) as config_scrapper_count,
    (select nullif(count(*), 0) from checks where checks.agent_id = agents.id) as checks_count,
    (select nullif(count(*), 0) from playbook_runs where playbook_runs.agent_id = agents.id) as playbook_runs_count
  from agents
  where agents.deleted_at is null;
`;

const CONNECTION_VIEWS = `
-- A reference tells where a secret is kept, not what it is.
create function mask_sensitive(secret text) returns text language sql immutable as $$
  select case when secret is null or secret = '' or secret ~ '^(secret|configmap|helm|serviceaccount)://'
    then secret else '***' end
$$;

create view connections_list as
  select id, name, namespace, type,
    case when lower(split_part(url, '://', 1)) = any(${NOTIFICATION_SCHEMES}::text[]) and position('://' in url) > 0
      then 'notification' else '' end as category,
    created_by, created_at, updated_at
  from connections where deleted_at is null;

create view connection_details as
  select id, name, namespace, type, source, properties, insecure_tls, mask_sensitive(username) as username,
    mask_sensitive(password) as password, mask_sensitive(certificate) as certificate,
    created_by, created_at, updated_at
  from connections where deleted_at is null;
`;

const EVENT_VIEWS = `
create view event_queue_summary as
  select name, count(*) as pending, count(*) filter (where error is not null) as failed,
    round(avg(attempts), 2) as average_attempts,
    min(created_at) filter (where error is not null) as first_failure, max(last_attempt) as last_failure,
    mode() within group (order by error) as most_common_error
  from event_queue group by name;

create view failed_events as
  select name, count(distinct error) as unique_errors, round(avg(attempts), 2) as average_attempts,
    count(*) as total_failed_events, mode() within group (order by error) as most_common_error
  from event_queue
  where error is not null and attempts > 0 and created_at >= now() - interval '7 days'
  group by name;

create view push_queue_summary as
${PUSHED_TABLES.map(
  (table) => `  select '${table}' as "table", count(*) as count from ${table} where not is_pushed`,
).join('\n  union all\n')};

create view job_history_latest_status as
  select distinct on (resource_id) job_history.* from job_history where resource_id is not null
  order by resource_id, created_at desc, id desc;

create view job_history_names as
  select distinct name from job_history where name is not null order by name;
`;

const NOTIFICATION_VIEWS = `
create index event_queue_notification_idx on event_queue ((properties ->> 'notification_id'))
  where name = 'notification.send';

create view notifications_summary as
  select notifications.id, notifications.name, coalesce(notifications.namespace, '') as namespace, notifications.error,
    notifications.title, notifications.events, notifications.filter, notifications.person_id, notifications.team_id,
    notifications.custom_services, notifications.created_at, notifications.updated_at, notifications.created_by,
    notifications.source, notifications.repeat_interval, notifications.wait_for,
    (
      select count(*) from event_queue as event
      where event.name = 'notification.send' and event.properties ->> 'notification_id' = notifications.id::text
        and event.attempts < 4
    ) as pending,
    sends.failed, sends.sent, sends.avg_duration_ms, sends.most_common_error
  from notifications
  cross join lateral (
    select count(*) filter (where history.error is not null) as failed,
      count(*) filter (where history.status = 'sent') as sent,
      round(avg(history.duration_millis), 2) as avg_duration_ms,
      mode() within group (order by history.error) as most_common_error
    from notification_send_history as history where history.notification_id = notifications.id
  ) as sends
  where notifications.deleted_at is null;

create view notification_send_history_summary as
  select history.*, split_part(history.source_event, '.', 1) as resource_type,
    case split_part(history.source_event, '.', 1)
      when 'config' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'type', own.type, 'config_class', own.config_class)
        from config_items as own where own.id = history.resource_id)
      when 'component' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'icon', own.icon)
        from components as own where own.id = history.resource_id)
      when 'check' then (
        select jsonb_build_object('id', own.id, 'name', own.name, 'type', own.type, 'status', own.status,
          'icon', own.icon)
        from checks as own where own.id = history.resource_id)
      else (
        select jsonb_build_object('id', own.id, 'name', own.name)
        from canaries as own where own.id = history.resource_id)
    end as resource
  from notification_send_history as history
  where split_part(history.source_event, '.', 1) in ('config', 'component', 'check', 'canary');
`;

const PLAYBOOK_VIEWS = `
create view playbook_names as
  select id, title, name, spec ->> 'description' as description, spec ->> 'category' as category, spec ->> 'icon' as icon
  from playbooks where deleted_at is null order by name;

-- Those that an agent may run parts of, by the names in runsOn.
create view playbooks_for_agent as
  select agents.name as agent_name, agents.person_id, agents.id as agent_id,
    jsonb_agg(distinct playbooks.id) as playbook_ids
  from playbooks
  join agents on agents.deleted_at is null and playbooks.spec -> 'runsOn' ? agents.name
  where playbooks.deleted_at is null and jsonb_typeof(playbooks.spec -> 'runsOn') = 'array'
  group by agents.id;
`;

export const OPERATIONS_VIEWS = [
  STATUS_VIEWS,
  CONNECTION_VIEWS,
  EVENT_VIEWS,
  NOTIFICATION_VIEWS,
  PLAYBOOK_VIEWS,
].join('\n');
