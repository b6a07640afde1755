/** The newest runs of a check side by side, whatever time they span. */
import type { TimeRange } from '../time/ranges.ts';
import { TIME_RANGES } from '../time/ranges.ts';
import type { Check } from './check.ts';

export const RECENT_RUNS = 30;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** Where nothing tells how often a check runs. */
const ANY_INTERVAL: TimeRange = '1w';

/** A range that the newest runs lie within, going by how often the check runs; a day at least. */
export function rangeOfRecentRuns(check: Pick<Check, 'last_runtime' | 'next_runtime'>): TimeRange {
  const intervalMs = Date.parse(check.next_runtime ?? '') - Date.parse(check.last_runtime ?? '');
  if (Number.isNaN(intervalMs) || intervalMs <= 0) return ANY_INTERVAL;
  // Twice as long: runs that were left out must not cut the row short.
  const wanted = Math.max(DAY_MINUTES, (2 * RECENT_RUNS * intervalMs) / MINUTE_MS);
  return TIME_RANGES.find(({ minutes }) => minutes >= wanted)?.value ?? '5y';
}
