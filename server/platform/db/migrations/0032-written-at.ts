/**
 * When a device wrote what its server got only later: work that was done without a network keeps the hour in which
 * it was done beside that of its arrival (`created_at`).
 */

const TABLES = [
  'incidents',
  'hypotheses',
  'evidences',
  'comments',
  'responders',
  'incident_histories',
] as const;

/** The transaction of a command says when it was written; rows of anybody else have none. */
const dated = (table: (typeof TABLES)[number]) => `
alter table ${table} add column written_at timestamptz;
alter table ${table} alter column written_at
  set default nullif(current_setting('holdfast.written_at', true), '')::timestamptz;
comment on column ${table}.written_at is 'when its author''s device wrote it, by the clock of the server';`;

const own = (table: string, names: string): string =>
  names
    .split(/\s+/)
    .map((name) => `${table}.${name}`)
    .join(', ');

const SCOPE = "(incidents.closed is null or incidents.closed > now() - interval '90 days')";

function record(kind: string, table: string, columns: string): string {
  const on = table === 'evidences' ? 'hypotheses.incident_id' : `${table}.incident_id`;
  return `select ${table}.id, '${kind}' as kind, ${on} as incident_id, row_to_json(own) as own
    from ${table}
    ${table === 'evidences' ? 'join hypotheses on hypotheses.id = evidences.hypothesis_id' : ''}
    join incidents on incidents.id = ${on}
    cross join lateral (select ${columns}) as own
    where ${SCOPE}${table === 'responders' ? ' and responders.deleted_at is null' : ''}`;
}

const RECORDS = [
  record(
    'hypothesis',
    'hypotheses',
    own('hypotheses', 'parent_id title type status created_by created_at updated_at written_at'),
  ),
  record(
    'evidence',
    'evidences',
    `${own('evidences', 'hypothesis_id type description done script script_result evidence properties config_id config_change_id config_analysis_id component_id check_id created_by created_at updated_at written_at')},
      coalesce(evidences.definition_of_done, false) as definition_of_done`,
  ),
  record(
    'comment',
    'comments',
    own(
      'comments',
      'hypothesis_id responder_id comment external_created_by created_by created_at updated_at written_at',
    ),
  ),
  record(
    'responder',
    'responders',
    `${own('responders', 'type person_id team_id external_id properties acknowledged resolved closed created_by created_at updated_at written_at')},
      (select jsonb_build_object('state', delivery.state, 'attempts', delivery.attempts, 'error', delivery.error,
          'url', delivery.url, 'remote_status', delivery.remote_status, 'at', delivery.updated_at)
        from responder_deliveries as delivery where delivery.responder_id = responders.id) as delivery`,
  ),
  record(
    'history',
    'incident_histories',
    own(
      'incident_histories',
      'type description hypothesis_id evidence_id responder_id comment_id created_by created_at written_at',
    ),
  ),
  record(
    'read',
    'incident_reads',
    `${own('incident_reads', 'person_id read_at created_at')}, incident_reads.person_id as created_by`,
  ),
];

export const up = `
${TABLES.map(dated).join('\n')}

create or replace view feed_incidents as
  select id, incident_id, title, description, type, severity, status, created_by, commander_id, communicator_id,
    acknowledged, resolved, closed, created_at, updated_at, incident_rule_id, written_at
  from incidents where ${SCOPE};

create or replace view feed_incident_records as
  ${RECORDS.join('\n  union all\n  ')};
`;
