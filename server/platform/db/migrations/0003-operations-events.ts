/** Rows for event_queue: what notifications, playbooks and other followers of changes wake up for. */

/** An event that carries only the id of its row. */
interface PlainEvent {
  event: string;
  on: string;
  after: string;
  when?: string;
}

const BECAME_DELETED = 'old.deleted_at is null and new.deleted_at is not null';

const PLAIN_EVENTS: readonly PlainEvent[] = [
  { event: 'config.created', on: 'config_items', after: 'insert' },
  { event: 'config.deleted', on: 'config_items', after: 'update of deleted_at', when: BECAME_DELETED },
  { event: 'incident.created', on: 'incidents', after: 'insert' },
  { event: 'incident.responder.added', on: 'responders', after: 'insert' },
  {
    event: 'incident.responder.removed',
    on: 'responders',
    after: 'update of deleted_at',
    when: BECAME_DELETED,
  },
  { event: 'incident.comment.added', on: 'comments', after: 'insert' },
  {
    event: 'playbook.spec.approval.updated',
    on: 'playbooks',
    after: 'update of spec',
    when: "old.spec -> 'approval' is distinct from new.spec -> 'approval'",
  },
  // Nothing known counts as no: an evidence born done has passed, one born undone hasn't regressed.
  ...evidenceEvents('definition_of_done', 'incident.dod.added', 'incident.dod.removed'),
  ...evidenceEvents('done', 'incident.dod.passed', 'incident.dod.regressed'),
];

function evidenceEvents(column: string, whenTrue: string, whenFalse: string): PlainEvent[] {
  const on = 'evidences';
  const after = `update of ${column}`;
  return [
    { event: whenTrue, on, after: 'insert', when: `new.${column}` },
    { event: whenTrue, on, after, when: `new.${column} and old.${column} is not true` },
    { event: whenFalse, on, after, when: `old.${column} and new.${column} is not true` },
  ];
}

function plainTrigger({ event, on, after, when }: PlainEvent): string {
  const operation = after === 'insert' ? 'insert' : 'update';
  const name = `queue_${event.replaceAll('.', '_')}_on_${operation}`;
  return `create trigger ${name} after ${after} on ${on}
  for each row ${when === undefined ? '' : `when (${when}) `}execute function queue_row_event('${event}');`;
}

const CHECK_EVENTS = `
create function queue_check_event() returns trigger language plpgsql as $$
begin
  perform queue_event(
    case new.status when 'healthy' then 'check.passed' else 'check.failed' end,
    jsonb_build_object('id', new.id, 'last_runtime', new.last_runtime)
  );
  return null;
end $$;
create trigger queue_check_event after update of status on checks
  for each row when (old.status is distinct from new.status and new.status in ('healthy', 'unhealthy'))
  execute function queue_check_event();
`;

const CATALOG_EVENTS = `
create function queue_health_event() returns trigger language plpgsql as $$
begin
  perform queue_event(
    tg_argv[0] || '.' || coalesce(nullif(new.health, ''), 'unknown'),
    jsonb_build_object('id', new.id, 'status', new.status, 'description', new.description)
  );
  return null;
end $$;
create trigger queue_config_health_on_insert after insert on config_items
  for each row when (new.health in ('warning', 'unhealthy')) execute function queue_health_event('config');
create trigger queue_config_health_on_update after update of health on config_items
  for each row when (coalesce(nullif(old.health, ''), 'unknown') <> coalesce(nullif(new.health, ''), 'unknown'))
  execute function queue_health_event('config');
create trigger queue_component_health after update of health on components
  for each row when (coalesce(nullif(old.health, ''), 'unknown') <> coalesce(nullif(new.health, ''), 'unknown'))
  execute function queue_health_event('component');

create function queue_config_change() returns trigger language plpgsql as $$
begin
  perform queue_event(
    case new.change_type when 'diff' then 'config.updated' else 'config.changed' end,
    jsonb_build_object('id', new.config_id, 'change_id', new.id)
  );
  return null;
end $$;
create trigger queue_config_change_on_insert after insert on config_changes
  for each row execute function queue_config_change();
-- That the row was sent to another server is no news.
create trigger queue_config_change_on_update after update on config_changes
  for each row when (old.is_pushed or not new.is_pushed) execute function queue_config_change();
`;

const OTHER_EVENTS = `
create function queue_incident_status() returns trigger language plpgsql as $$
begin
  perform queue_event('incident.status.' || new.status, jsonb_build_object('id', new.id));
  return null;
end $$;
create trigger queue_incident_status after update of status on incidents
  for each row when (old.status is distinct from new.status) execute function queue_incident_status();

create function queue_approval() returns trigger language plpgsql as $$
begin
  perform queue_event('playbook.approval.inserted', jsonb_build_object('id', new.id, 'run_id', new.run_id));
  return null;
end $$;
create trigger queue_approval after insert on playbook_approvals
  for each row execute function queue_approval();
`;

export const EVENT_TRIGGERS = `
-- The same event while one still waits starts that one afresh.
create function queue_event(event text, about jsonb) returns void language sql as $$
  insert into event_queue (name, properties) values (event, about)
    on conflict (name, md5(properties::text))
    do update set created_at = now(), last_attempt = null, attempts = 0
$$;

create function queue_row_event() returns trigger language plpgsql as $$
begin
  perform queue_event(tg_argv[0], jsonb_build_object('id', new.id));
  return null;
end $$;
${PLAIN_EVENTS.map(plainTrigger).join('\n')}
${CHECK_EVENTS}
${CATALOG_EVENTS}
${OTHER_EVENTS}
`;
