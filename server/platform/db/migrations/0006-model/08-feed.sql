-- What the change feed lacked: rules that open incidents and log stores, without their specs, and the newest job of
-- what has jobs. Every kind in `resources` may be read by whoever may read the collection
-- (server/replication/change-log/collections.ts says so, kind by kind); what fewer may read has a collection of its
-- own.

create or replace view feed_resources as
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
    from notification_silences cross join lateral (select notification_silences.namespace, notification_silences.description, notification_silences.recursive, notification_silences.config_id, notification_silences.check_id, notification_silences.canary_id, notification_silences.component_id, notification_silences.source, notification_silences.created_by, notification_silences.created_at, notification_silences.updated_at,
      notification_silences."from", notification_silences."until") as own where notification_silences.deleted_at is null
  union all
  select incident_rules.id::text as id, 'incident_rule' as kind, row_to_json(own) as own
    from incident_rules cross join lateral (select incident_rules.name, incident_rules.source, incident_rules.created_by, incident_rules.created_at, incident_rules.updated_at) as own where incident_rules.deleted_at is null
  union all
  select logging_backends.id::text as id, 'logging_backend' as kind, row_to_json(own) as own
    from logging_backends cross join lateral (select logging_backends.name, logging_backends.labels, logging_backends.source, logging_backends.agent_id, logging_backends.created_by, logging_backends.created_at, logging_backends.updated_at) as own where logging_backends.deleted_at is null
  union all
  select 'property:' || properties.name as id, 'property' as kind, row_to_json(own) as own
    from properties
    cross join lateral (select properties.name, properties.value, properties.created_at, properties.updated_at) as own
    where properties.deleted_at is null;

create constraint trigger note_new after insert or delete on incident_rules deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on incident_rules deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[])
  execute function note_change('resources', 'id');
-- Devices that replicated before have not heard of these.
select log_change('resources', id::text, false) from incident_rules where deleted_at is null;

create constraint trigger note_new after insert or delete on logging_backends deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on logging_backends deferrable initially deferred for each row
  when (to_jsonb(old) - '{is_pushed,updated_at}'::text[] is distinct from to_jsonb(new) - '{is_pushed,updated_at}'::text[])
  execute function note_change('resources', 'id');
-- Devices that replicated before have not heard of these.
select log_change('resources', id::text, false) from logging_backends where deleted_at is null;
