/** Health of the custom resources of this family of products, which report in their own way. */
import { isRecord } from '../../../src/lib/is-record.ts';
import { numberOf, objectAt, textOf, ageMs, timeOf } from './health.ts';
import type { Health, Json } from './health.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MESSAGE_LENGTH = 512;

/** When a schedule comes round next after a moment; null when it can't be told. */
export type NextRun = (schedule: string, after: Date) => Date | null;

const minutes = (durationMs: number): string => `${Math.round(durationMs / MINUTE_MS)}m`;

const cut = (text: string): string =>
  text.length > MESSAGE_LENGTH ? `${text.slice(0, MESSAGE_LENGTH - 3)}...` : text;

export function canaryHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const word = textOf(status['status']);
  const message = cut(textOf(status['errorMessage']) || textOf(status['message']));
  const health =
    message !== '' || word === 'Failed' || word === 'Invalid'
      ? 'unhealthy'
      : word === 'Passed'
        ? 'healthy'
        : 'unknown';
  return { health, status: word, ready: true, message };
}

export function notificationHealth(object: Json, now: Date): Health {
  const status = objectAt(object, 'status');
  const sinceMs = ageMs(status['lastFailed'], now);
  const error = textOf(status['error']);
  const sent = timeOf(status['lastSent'])?.getTime() ?? 0;
  const failed = timeOf(status['lastFailed'])?.getTime() ?? 0;
  if (error === '' && (sinceMs === null || failed < sent))
    return {
      health: numberOf(status['sent']) > 0 ? 'healthy' : 'unknown',
      status: '',
      ready: true,
      message: '',
    };
  const isRecent = sinceMs === null || sinceMs < HOUR_MS;
  const message = error || `Failed ${minutes(sinceMs ?? 0)} ago`;
  return { health: isRecent ? 'unhealthy' : 'warning', status: '', ready: true, message };
}

function firstError(run: Json): string {
  const errors = run['errors'];
  if (!Array.isArray(errors)) return '';
  const [first] = errors;
  return isRecord(first) ? textOf(first['message']) : textOf(first);
}

function runHealth(run: Json): Health['health'] {
  const errors = numberOf(run['error']);
  if (errors === 0) return 'healthy';
  return numberOf(run['success']) > 0 ? 'warning' : 'unhealthy';
}

/** How late a run may be before it is said, and before it counts as failed. */
const LATE_MS = 10 * MINUTE_MS;

export function scrapeConfigHealth(object: Json, now: Date, nextRun: NextRun): Health {
  const last = objectAt(object, 'status', 'lastRun');
  const incremental = objectAt(object, 'status', 'incremental');
  const lastTime = timeOf(last['timestamp']);
  if (lastTime === null) return { health: 'unknown', status: '', ready: false, message: '' };
  const schedule = textOf(objectAt(object, 'spec')['schedule']);
  const due = schedule === '' ? null : nextRun(schedule, lastTime);
  const lateMs = due === null ? 0 : now.getTime() - due.getTime();
  if (lateMs >= LATE_MS) {
    const message = `scraper hasn't run for ${minutes(now.getTime() - lastTime.getTime())}`;
    return { health: lateMs >= HOUR_MS ? 'unhealthy' : 'warning', status: 'Stale', ready: true, message };
  }
  const worst = runHealth(last) === 'healthy' ? incremental : last;
  return { health: runHealth(worst), status: '', ready: true, message: firstError(worst) };
}
