/**
 * When a canary runs, as its specification says it: a cron line, `@hourly` and its like, `@every 1m30s`,
 * `@never`, or an interval in seconds. Pure: reading a cron line is left to the runner's cron library.
 */
import { parseDuration } from './duration.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

export type Schedule =
  | { kind: 'every'; everyMs: number }
  | { kind: 'cron'; expression: string }
  | { kind: 'never' };

export const DEFAULT_EVERY_MS = 5 * 60_000;
/** Runs of one canary are never closer than this (schema §4.3) … */
export const MIN_DISTANCE_MS = 10_000;
/** … unless its specification itself asks for a shorter interval, which is then the floor. */
export const SHORTEST_DISTANCE_MS = 1000;

const NAMED = lookupTable<string>({
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
});
const CRON_FIELDS = 5;

function parseText(text: string): Schedule | null {
  if (text === '@never') return { kind: 'never' };
  const named = NAMED[text];
  if (named !== undefined) return { kind: 'cron', expression: named };
  const every = /^@every\s+(\S+)$/.exec(text);
  if (every !== null) {
    const everyMs = parseDuration(every[1] ?? '');
    return everyMs === null || everyMs <= 0 ? null : { kind: 'every', everyMs };
  }
  return text.split(/\s+/).length === CRON_FIELDS ? { kind: 'cron', expression: text } : null;
}

/** The schedule of a specification; `schedule` wins over `interval`. Null when it can't be read. */
export function parseSchedule(spec: {
  schedule?: string | undefined;
  interval?: number | undefined;
}): Schedule | null {
  const text = spec.schedule?.trim() ?? '';
  if (text !== '') return parseText(text);
  const seconds = spec.interval ?? 0;
  if (seconds < 0) return null;
  return { kind: 'every', everyMs: seconds === 0 ? DEFAULT_EVERY_MS : seconds * 1000 };
}

/** The least time between two starts of a canary with this schedule. */
export function minDistanceMs(schedule: Schedule): number {
  if (schedule.kind !== 'every') return MIN_DISTANCE_MS;
  return Math.max(SHORTEST_DISTANCE_MS, Math.min(MIN_DISTANCE_MS, schedule.everyMs));
}
