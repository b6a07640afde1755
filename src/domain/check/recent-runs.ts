/** The newest runs of a check side by side, whatever time they span. */
import type { TimeRange } from '../time/ranges.ts';
import { TIME_RANGES } from '../time/ranges.ts';
import type { Check } from './check.ts';
import { newScan, RECENT_RUNS, scanRuns } from './run-text.ts';

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

/** The runs of a check's `recent_runs`, the oldest first. What is no such text answers no runs. */
export function recentRuns(text: string | null | undefined): RecentRun[] {
  const scan = newScan();
  scanRuns(text, scan);
  return Array.from({ length: scan.count }, (_, at) => ({
    atMs: (scan.seconds[at] ?? 0) * 1000,
    isPassed: scan.failed[at] === 0,
  })).toReversed();
}
