/**
 * The newest runs of a group's checks, laid on each other: place 0 has the newest run of each check, place 1 the one
 * before it, whatever their times. Which times those are is told with each place.
 */
import { newScan, RECENT_RUNS, scanRuns } from './run-text.ts';

/** By place, the newest first; as long as the longest history of its checks. */
export interface GroupRuns {
  /** How many checks have a run there. */
  total: number[];
  /** How many of those failed. */
  failed: number[];
  /** When the newest and the oldest of them began, seconds since 1970. */
  newest: number[];
  oldest: number[];
}

/** Of checks by their `recent_runs`; undefined where none of them has a run. */
export function groupRuns(texts: Iterable<string | null | undefined>): GroupRuns | undefined {
  const total = new Uint32Array(RECENT_RUNS);
  const failed = new Uint32Array(RECENT_RUNS);
  const newest = new Uint32Array(RECENT_RUNS);
  const oldest = new Uint32Array(RECENT_RUNS).fill(0xffff_ffff);
  const scan = newScan();
  for (const text of texts) {
    scanRuns(text, scan);
    for (let at = 0; at < scan.count; at += 1) {
      const second = scan.seconds[at] ?? 0;
      total[at] = (total[at] ?? 0) + 1;
      failed[at] = (failed[at] ?? 0) + (scan.failed[at] ?? 0);
      if (second > (newest[at] ?? 0)) newest[at] = second;
      if (second < (oldest[at] ?? 0)) oldest[at] = second;
    }
  }
  const end = total.indexOf(0);
  const count = end === -1 ? RECENT_RUNS : end;
  if (count === 0) return undefined;
  const cut = (list: Uint32Array) => [...list.subarray(0, count)];
  return { total: cut(total), failed: cut(failed), newest: cut(newest), oldest: cut(oldest) };
}
