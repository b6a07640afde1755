/** What an event is about, as the flow of notifications sees it: names for texts, labels, what is above. */
import { links } from '../../../src/domain/links.ts';
import {
  ACKNOWLEDGED_KINDS,
  type AcknowledgedKind,
} from '../../../src/domain/notification/acknowledgement.ts';
import type { GroupFacts } from '../../../src/domain/notification/notification-rule.ts';
import type { MessageFacts } from '../../../src/domain/notification/default-message.ts';
import type { SilencedResource } from '../../../src/domain/notification/silence.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { SubjectKind, SubjectRow } from './subject-query.ts';

type Row = Readonly<Record<string, unknown>>;

const KINDS = ['check', 'config', 'component', 'playbook', 'monitor'] as const;

/** Which row an event's id is of. */
export function subjectKindOf(event: string): SubjectKind | null {
  const [kind = '', word = ''] = event.split('.');
  if (kind === 'incident') {
    if (word === 'dod') return 'evidence';
    return word === 'responder' ? 'responder' : 'incident';
  }
  return KINDS.find((one) => one === kind) ?? null;
}

const text = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? value : '';
};

function mainRow(event: string, env: Row): { kind: string; row: Row } {
  const [kind = ''] = event.split('.');
  return { kind, row: recordOf(env[kind]) };
}

const detailOf = (kind: string, env: Row, row: Row): string => {
  if (kind === 'check') {
    const status = recordOf(env['status']);
    return text(status, 'error') || text(status, 'message') || text(row, 'description');
  }
  if (kind === 'component') return text(row, 'status_reason') || text(row, 'description');
  return text(row, kind === 'monitor' ? 'reason' : 'description');
};

/** Names for the texts. */
export function factsOf(event: string, env: Row): MessageFacts {
  const { kind, row } = mainRow(event, env);
  const canary = recordOf(env['canary']);
  const tags = recordOf(row['tags']);
  return {
    event,
    kind,
    name: text(row, 'name') || text(row, 'title'),
    type: text(row, 'type'),
    status: text(row, 'status') || text(row, 'health'),
    unknown: typeof row['checks'] === 'number' ? row['checks'] : 0,
    namespace: text(canary, 'namespace') || text(row, 'namespace') || text(tags, 'namespace'),
    canary: text(canary, 'name'),
    agent: text(recordOf(env['agent']), 'name'),
    detail: detailOf(kind, env, row),
    labels: labelsOf(event, env),
    number: text(row, 'incident_id'),
  };
}

function labelsOf(event: string, env: Row): Row {
  const { row } = mainRow(event, env);
  return { ...recordOf(recordOf(env['canary'])['labels']), ...recordOf(row['labels']) };
}

/** What somebody would acknowledge; null for what nobody can. */
export function acknowledgedSubject(
  event: string,
  { id, env }: SubjectRow,
): { kind: AcknowledgedKind; id: string } | null {
  const [word = ''] = event.split('.');
  const kind = ACKNOWLEDGED_KINDS.find((one) => one === word);
  if (kind === undefined) return null;
  const about = kind === 'incident' ? text(recordOf(env['incident']), 'id') : id;
  return about === '' ? null : { kind, id: about };
}

/** As silences look at it. */
export function silencedResource(event: string, subject: SubjectRow): SilencedResource {
  const { kind, row } = mainRow(event, subject.env);
  return {
    kind: kind === 'check' || kind === 'config' || kind === 'component' ? kind : 'other',
    id: subject.id,
    canaryId: text(row, 'canary_id') || null,
    above: subject.above,
    labels: { ...recordOf(row['tags']), ...labelsOf(event, subject.env) },
  };
}

/** As `group_by` looks at it. */
export function groupFacts(event: string, env: Row): GroupFacts {
  const { row } = mainRow(event, env);
  const facts = factsOf(event, env);
  const texts = Object.entries(row).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    fields: { ...Object.fromEntries(texts), name: facts.name, type: facts.type, namespace: facts.namespace },
    labels: facts.labels,
    tags: recordOf(row['tags']),
  };
}

/** How it is now; null when it is gone or has no health. */
export function currentHealth(event: string, env: Row): string | null {
  const { kind, row } = mainRow(event, env);
  if (row['deleted_at'] !== null && row['deleted_at'] !== undefined) return null;
  // That nobody can see it now does not make it well: what was seen last counts.
  if (kind === 'check') return text(row, 'status') || text(row, 'seen_status') || 'unknown';
  return kind === 'config' || kind === 'component' ? text(row, 'health') || 'unknown' : null;
}

/** Its page, as a path of the app. */
export function linkPath(event: string, id: string, env: Row): string {
  const [kind = ''] = event.split('.');
  const incident = text(recordOf(env['incident']), 'id');
  switch (kind) {
    case 'check':
      return `/health?layout=table&checkId=${encodeURIComponent(id)}&timeRange=1h`;
    case 'config':
      return links.config(id);
    case 'component':
      return links.component(id);
    case 'monitor':
      return links.health();
    case 'playbook': {
      const run = text(recordOf(env['run']), 'id');
      return run === '' ? links.playbooks() : links.playbookRun(run);
    }
    default:
      return incident === '' ? links.incidents() : links.incident(incident);
  }
}

/** Where it is silenced; null for what can't be. */
export function silencePath(event: string, id: string): string | null {
  const [kind = ''] = event.split('.');
  if (kind !== 'check' && kind !== 'config' && kind !== 'component') return null;
  return `/notifications/silences/add?${kind}_id=${encodeURIComponent(id)}`;
}
