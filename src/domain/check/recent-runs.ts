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

/** One run of a check: when it began, ms, and how it went. */
export interface RecentRun {
  atMs: number;
  isPassed: boolean;
}

/**
 * The runs of a check's `recent_runs`, the oldest first. The text has when the newest began (seconds since 1970), then
 * from the newest to the oldest `p` or `f` and how many seconds the run after it came later. What is no such text
 * answers no runs.
 */
export function recentRuns(text: string | null | undefined): RecentRun[] {
  const [, newest, rest] = /^(\d+)((?:[pf]\d+)*)$/.exec(text ?? '') ?? [];
  if (newest === undefined || rest === undefined) return [];
  let second = Number(newest);
  const runs: RecentRun[] = [];
  for (const [, word, gap] of rest.matchAll(/([pf])(\d+)/g)) {
    second -= Number(gap);
    runs.push({ atMs: second * 1000, isPassed: word === 'p' });
  }
  return runs.slice(0, RECENT_RUNS).toReversed();
}
