/** What a notification says where its rule says nothing (schema §7.1). */
import { lookupTable } from '../../lib/lookup-table.ts';

/** Of the environment of rules, what the texts need. */
export interface MessageFacts {
  event: string;
  /** As in `config`, `component`, `check`, `incident`. */
  kind: string;
  name: string;
  type: string;
  status: string;
  namespace: string;
  canary: string;
  agent: string;
  /** An error, a message, or why the health is so. */
  detail: string;
  labels: Readonly<Record<string, unknown>>;
  /** Checks that are unknown, of what is about the server itself. */
  unknown: number;
  /** Of incidents: number and title. */
  number: string;
}

const DONE = lookupTable<string>({
  'incident.created': 'was created',
  'incident.dod.added': 'has a new definition of done',
  'incident.dod.passed': 'meets a definition of done',
  'incident.dod.regressed': 'no longer meets a definition of done',
  'incident.responder.removed': 'lost a responder',
  'playbook.approval.inserted': 'was approved',
  'playbook.spec.approval.updated': 'has other approvers',
});

/** One line: what it is about, and what happened. */
export function defaultTitle({ event, kind, name, type, number, unknown }: MessageFacts): string {
  const word = event.split('.').at(-1) ?? '';
  switch (kind) {
    case 'check':
      return `Check ${name} has ${word === 'passed' ? 'passed' : 'failed'}`;
    case 'config':
      return `${type} ${name} ${CHANGES.has(word) ? `was ${word}` : `is ${word}`}`.trim();
    case 'component':
      return `Component ${name} is ${word}`;
    case 'monitor':
      return monitorTitle(word, name, { type, unknown });
    case 'incident':
      return `${number} ${name}`.trim() + ` ${DONE[event] ?? `is ${word}`}`;
    default:
      return `${name} ${DONE[event] ?? word}`.trim();
  }
}

function monitorTitle(
  word: string,
  name: string,
  { type, unknown }: { type: string; unknown: number },
): string {
  if (word === 'back') return `${name} sees again`;
  if (type === 'clock') return `${name} could not see for a while`;
  const checks = unknown === 1 ? '1 check is' : `${unknown} checks are`;
  return `${name} cannot see: ${checks} unknown`;
}

const CHANGES = new Set(['created', 'updated', 'changed', 'deleted']);
const MOST_LABELS = 20;

/** Lines with what is known; none for what isn't. */
export function defaultBody(facts: MessageFacts): string {
  const labels = Object.entries(facts.labels)
    .slice(0, MOST_LABELS)
    .map(([name, value]) => `${name}=${String(value)}`);
  const isLocal = facts.agent === '' || facts.agent === 'local';
  const lines = [
    ['Canary', facts.canary],
    ['Namespace', facts.namespace],
    ['Agent', isLocal ? '' : facts.agent],
    ['Type', facts.kind === 'check' ? facts.type : ''],
    ['Status', facts.status],
    ['Labels', labels.join(', ')],
  ] as const;
  const shown = lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
  return [facts.detail, shown.join('\n')].filter((part) => part !== '').join('\n\n');
}

const MOST_LISTED = 30;

/** The text about several things: each in a line, the newest word of each. */
export function listBody(titles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  const lines = [...counts].map(([title, count]) => `• ${title}${count > 1 ? ` (${count} times)` : ''}`);
  const rest = lines.length - MOST_LISTED;
  return [...lines.slice(0, MOST_LISTED), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}
