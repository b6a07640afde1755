/** What a rule of notifications says, as values (schema §7.1): its events, its times, whether it still holds. */
import { parseDuration } from '../check/duration.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

/** What a rule can wait for; others are in the queue, but nobody is told of them. */
export const RULE_EVENTS = [
  'check.failed',
  'check.passed',
  'component.healthy',
  'component.unhealthy',
  'component.unknown',
  'component.warning',
  'config.changed',
  'config.created',
  'config.deleted',
  'config.healthy',
  'config.unhealthy',
  'config.unknown',
  'config.updated',
  'config.warning',
  'incident.created',
  'incident.dod.added',
  'incident.dod.passed',
  'incident.dod.regressed',
  'incident.responder.removed',
  'incident.status.cancelled',
  'incident.status.closed',
  'incident.status.investigating',
  'incident.status.mitigated',
  'incident.status.open',
  'incident.status.resolved',
  'playbook.approval.inserted',
  'playbook.spec.approval.updated',
] as const;

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
const NANOS_A_MS = 1_000_000;

/** What the form offers (spec 2 §5); any other duration may be typed. */
export const REPEAT_INTERVALS: readonly string[] = ['1h', '2h', '3h', '6h', '1d', '1w', '1m'];

/** ms; null where nothing is repeated late, or the text is no duration. `1m` is the month that the form offers (schema §10). */
export function repeatIntervalMs(text: string | null): number | null {
  if (text === null || text.trim() === '') return null;
  if (text.trim() === '1m') return MONTH_MS;
  const ms = parseDuration(text);
  return ms === null || ms <= 0 ? null : ms;
}

/** ms of a rule's `wait_for`, which counts nanoseconds. */
export const waitForMs = (nanos: number | null): number =>
  nanos === null || nanos <= 0 ? 0 : Math.round(nanos / NANOS_A_MS);

/** The health that an event tells of, from its last word; null for what is about no health. */
export function healthOfEvent(event: string): string | null {
  const [kind, word = ''] = event.split('.');
  if (kind === 'check') return word === 'passed' ? 'healthy' : word === 'failed' ? 'unhealthy' : null;
  if (kind !== 'config' && kind !== 'component') return null;
  return Object.hasOwn(RANK, word) ? word : null;
}

const RANK = lookupTable<number>({ healthy: 0, unknown: 1, warning: 2, unhealthy: 3 });
const rankOf = (health: string) => RANK[health] ?? RANK['unknown'] ?? 0;

/** The event by which a resource of this kind becomes so. */
function eventOf(kind: string, health: string): string {
  if (kind !== 'check') return `${kind}.${health}`;
  return health === 'healthy' ? 'check.passed' : 'check.failed';
}

/**
 * Whether what was waited for is still so: the resource's health is one that the rule is told of, and is the event's
 * or worse. What is about no health stays true.
 */
export function isStillSo(
  event: string,
  currentHealth: string | null,
  ruleEvents: readonly string[],
): boolean {
  const health = healthOfEvent(event);
  if (health === null) return true;
  if (currentHealth === null) return false;
  const [kind = ''] = event.split('.');
  const current = Object.hasOwn(RANK, currentHealth) ? currentHealth : 'unknown';
  return ruleEvents.includes(eventOf(kind, current)) && rankOf(current) >= rankOf(health);
}

/** Whether an event tells that something is down. */
export const isDownEvent = (event: string): boolean => healthOfEvent(event) === 'unhealthy';

/** What happens to the server itself: whoever is told of any health is told of it, once. */
export const CUT_OFF = 'monitor.cut_off';
export const SEES_AGAIN = 'monitor.back';

const HEALTH_EVENTS: readonly string[] = RULE_EVENTS.filter((event) => healthOfEvent(event) !== null);

/** The events of rules that are asked about an event. */
export function askedBy(event: string): readonly string[] {
  return event === CUT_OFF || event === SEES_AGAIN ? HEALTH_EVENTS : [event];
}

const OVER = new Set(['resolved', 'closed', 'cancelled']);

/** Whether an event tells of what somebody who acknowledged it knows: that it is well again, or over, is told. */
export function isKnownByAcknowledging(event: string): boolean {
  const [kind, word, status = ''] = event.split('.');
  if (kind === 'incident') return word !== 'status' || !OVER.has(status);
  const health = healthOfEvent(event);
  return health !== null && health !== 'healthy';
}

/** Whether the last time that it was told of is within the rule's repeat interval. */
export function isRepeated(lastToldMs: number | null, intervalMs: number | null, nowMs: number): boolean {
  return intervalMs !== null && lastToldMs !== null && nowMs - lastToldMs < intervalMs;
}

/** The text that what belongs together has in common: `group_by` names fields, and labels and tags by key. */
export function groupKeyOf(groupBy: readonly string[], { fields, labels, tags }: GroupFacts): string {
  const valueOf = (name: string): string => {
    const [, kind, key = ''] = /^(labels?|tags?):(.+)$/.exec(name) ?? [];
    if (kind === undefined) return fields[name] ?? '';
    const value = (kind.startsWith('label') ? labels : tags)[key];
    return typeof value === 'string' ? value : JSON.stringify(value ?? '');
  };
  return JSON.stringify(groupBy.map(valueOf));
}

export interface GroupFacts {
  fields: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, unknown>>;
  tags: Readonly<Record<string, unknown>>;
}
