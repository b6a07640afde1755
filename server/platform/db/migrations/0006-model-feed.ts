/**
 * What the change feed lacked: rules that open incidents and log stores, without their specs, and the newest job of
 * what has jobs. Every kind in `resources` may be read by whoever may read the collection
 * (server/replication/change-log/collections.ts says so, kind by kind); what fewer may read has a collection of its own.
 */

const own = (table: string, names: string): string =>
  names
    .split(/\s+/)
    .map((name) => `${table}.${name}`)
    .join(', ');

const resource = (kind: string, table: string, columns: string): string =>
  `select ${table}.id::text as id, '${kind}' as kind, row_to_json(own) as own
    from ${table} cross join lateral (select ${columns}) as own where ${table}.deleted_at is null`;

const KINDS = [
  resource(
    'team',
    'teams',
    `${own('teams', 'name icon source created_at updated_at')},
      (select coalesce(jsonb_agg(member.person_id order by member.person_id), '[]') from team_members as member
        where member.team_id = teams.id) as members`,
  ),
  resource('person', 'people', own('people', 'name avatar type team_id created_at updated_at')),
  resource('agent', 'agents', own('agents', 'name hostname description version created_at updated_at')),
  resource(
    'topology',
    'topologies',
    own('topologies', 'name namespace labels source agent_id created_at updated_at'),
  ),
  resource(
    'scraper',
    'config_scrapers',
    own('config_scrapers', 'name description source agent_id created_at updated_at'),
  ),
  resource(
    'notification_rule',
    'notifications',
    own('notifications', 'name namespace events title error person_id team_id source created_at updated_at'),
  ),
  resource(
    'silence',
    'notification_silences',
    `${own('notification_silences', 'namespace description recursive config_id check_id canary_id component_id source created_by created_at updated_at')},
      notification_silences."from", notification_silences."until"`,
  ),
  resource(
    'incident_rule',
    'incident_rules',
    own('incident_rules', 'name source created_by created_at updated_at'),
  ),
  resource(
    'logging_backend',
    'logging_backends',
    own('logging_backends', 'name labels source agent_id created_by created_at updated_at'),
  ),
  `select 'property:' || properties.name as id, 'property' as kind, row_to_json(own) as own
    from properties
    cross join lateral (select ${own('properties', 'name value created_at updated_at')}) as own
    where properties.deleted_at is null`,
];

const logged = (table: string): string => `
create constraint trigger note_new after insert or delete on ${table} deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on ${table} deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[])
  execute function note_change('resources', 'id');
-- Devices that replicated before have not heard of these.
select log_change('resources', id::text, false) from ${table} where deleted_at is null;
`;

export const FEED = `
create or replace view feed_resources as
  ${KINDS.join('\n  union all\n  ')};
${['incident_rules', 'logging_backends'].map(logged).join('\n')}
`;
