/** Health of the custom resources of this family of products, which report in their own way. */
import { cutText } from '../../../../src/lib/cut-text.ts';
import { conditionOf, conditionsOf, plainConditionHealth } from './conditions.ts';
import { HOUR_MS, kubectlAge, MINUTE_MS } from './durations.ts';
import { ageMs, joined, numberOf, objectAt, textOf, timeOf } from './health.ts';
import type { Health, Json } from './health.ts';

const MESSAGE_LENGTH = 512;
/** Below this uptime in the last hour a check that passes is no good news. */
const LOW_UPTIME = 80;

/** When a schedule comes round next after a moment; null when it can't be told. */
export type NextRun = (schedule: string, after: Date) => Date | null;

const cut = (text: string): string =>
  text.length > MESSAGE_LENGTH ? `${cutText(text, MESSAGE_LENGTH - 3)}...` : text;

/** `3/4 (75.0%)` and `75%` are 75. */
function uptimeOf(text: string): number | null {
  const [, percent] = /(?<![\d.])(\d+(?:\.\d*)?)%/.exec(text) ?? [];
  return percent === undefined ? null : Number(percent);
}

/** By its status, error and the uptime of the last hour. */
export function canaryHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const word = textOf(status['status']);
  const error = textOf(status['errorMessage']);
  const hasFailed = word === 'Failed' || word === 'Invalid';
  if (error !== '')
    return { health: 'unhealthy', status: hasFailed ? word : 'Error', ready: true, message: cut(error) };
  const uptime = textOf(status['uptime1h']);
  const isLow = (uptimeOf(uptime) ?? 100) < LOW_UPTIME;
  const passed = word === 'Passed' ? (isLow ? 'warning' : 'healthy') : 'unknown';
  return {
    health: hasFailed ? 'unhealthy' : passed,
    status: word,
    ready: word !== 'Invalid',
    message: cut(textOf(status['message'])) || (uptime === '' ? '' : `uptime: ${uptime}`),
  };
}

/** Whether the server stored the object: its `Ready` condition, where it has one. */
function storedHealth(object: Json): Health | null {
  const ready = conditionOf(conditionsOf(object), 'Ready');
  if (ready === null) return null;
  const { reason, message } = ready;
  switch (ready.status) {
    case 'True':
      return { health: 'healthy', status: reason || 'Synced', ready: true, message: '' };
    case 'False':
      return { health: 'unhealthy', status: reason || 'Not Ready', ready: false, message };
    default:
      return { health: 'unknown', status: reason || 'Unknown', ready: false, message };
  }
}

/** Connections, playbooks, permissions and the other documents of Mission Control. */
export function missionControlHealth(object: Json): Health {
  return storedHealth(object) ?? plainConditionHealth(object);
}

function countedNotification(status: Json): Health['health'] {
  const hasFailed = numberOf(status['failed']) > 0;
  const isWaiting = numberOf(status['pending']) > 0;
  if (numberOf(status['sent']) > 0) return hasFailed || isWaiting ? 'warning' : 'healthy';
  if (hasFailed) return 'unhealthy';
  return isWaiting ? 'warning' : 'unknown';
}

/** Unhealthy while sending failed lately. */
export function notificationHealth(object: Json, now: Date): Health {
  const stored = storedHealth(object);
  if (stored !== null) return stored;
  const status = objectAt(object, 'status');
  const error = textOf(status['error']);
  if (error !== '') return { health: 'unhealthy', status: '', ready: false, message: error };
  const sinceMs = ageMs(status['lastFailed'], now);
  if (sinceMs === null || sinceMs > 12 * HOUR_MS)
    return { health: countedNotification(status), status: '', ready: true, message: '' };
  const message = `Failed ${kubectlAge(sinceMs)} ago`;
  return { health: sinceMs <= HOUR_MS ? 'unhealthy' : 'warning', status: '', ready: true, message };
}

function errorsOf(run: Json): string {
  const errors = run['errors'];
  if (!Array.isArray(errors)) return '';
  const texts = errors.map((entry) => textOf(entry) || textOf(objectAt(entry)['message']));
  return texts
    .filter((text) => text !== '')
    .map(cut)
    .join(',');
}

function runHealth(run: Json): Health {
  const errors = numberOf(run['error']);
  const successes = numberOf(run['success']);
  const failed = successes > 0 ? 'warning' : 'unhealthy';
  const passed = successes > 0 ? 'healthy' : 'unknown';
  const message = errors > 0 ? errorsOf(run) : '';
  return { health: errors > 0 ? failed : passed, status: '', ready: true, message };
}

/** How late a run may be before it is said; an hour late counts as failed. */
const LATE_MS = 10 * MINUTE_MS;

/** A scraper: what its last run gave, and whether it comes when it is due. One that watches has no due time. */
export function scrapeConfigHealth(object: Json, now: Date, nextRun: NextRun): Health {
  const status = objectAt(object, 'status');
  const incremental = objectAt(status, 'incremental');
  if (Object.keys(incremental).length > 0) return runHealth(incremental);
  const last = objectAt(status, 'lastRun');
  const health = runHealth(last);
  const lastTime = timeOf(last['timestamp']);
  if (lastTime === null) return health;
  const schedule = textOf(objectAt(object, 'spec')['schedule']);
  const due = schedule === '' ? new Date(lastTime.getTime() + HOUR_MS) : nextRun(schedule, lastTime);
  if (due === null)
    return { health: 'unhealthy', status: '', ready: true, message: `Bad schedule: ${schedule}` };
  const lateMs = now.getTime() - due.getTime();
  if (lateMs <= LATE_MS) return health;
  const message = `scraper hasn't run for ${kubectlAge(now.getTime() - lastTime.getTime())}`;
  return { health: lateMs > HOUR_MS ? 'unhealthy' : 'warning', status: 'Stale', ready: true, message };
}

/** What the status says is about an older version of the specification. */
export function generationLag(object: Json): string | null {
  const observed = objectAt(object, 'status')['observedGeneration'];
  const generation = objectAt(object, 'metadata')['generation'];
  if (typeof observed !== 'number' || typeof generation !== 'number' || observed >= generation) return null;
  return `observed generation ${observed} is behind metadata generation ${generation}`;
}

/** A lag as the family's own kinds say it. */
export function laggingHealth(health: Health, lag: string): Health {
  return { health: 'warning', status: 'Degraded', ready: false, message: joined(lag, health.message) };
}
