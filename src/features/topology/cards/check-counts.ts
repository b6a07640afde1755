import type { Counts } from '../../../domain/topology/component.ts';
import { emptyCounts, healthOfWord, type HealthCounts } from '../../../domain/check/health.ts';

/** Checks by health; null where there are none. */
export function checkCounts(checks: Counts): HealthCounts | null {
  const counts = emptyCounts();
  let total = 0;
  for (const [status, count] of Object.entries(checks)) {
    counts[healthOfWord(status)] += count;
    total += count;
  }
  return total === 0 ? null : counts;
}
