import type { Latency } from './check.ts';

/**
 * Percentile `p` (0-100) of ascending values, interpolated at n·p/100 − 0.5 as the contract's graph does
 * (schema §4.7), over the raw durations of the range. NaN for no values.
 */
export function percentile(ascending: readonly number[], p: number): number {
  const n = ascending.length;
  if (n === 0) return Number.NaN;
  const position = Math.min(Math.max((n * p) / 100 - 0.5, 0), n - 1);
  const low = Math.floor(position);
  const a = ascending[low] ?? Number.NaN;
  const b = ascending[Math.min(low + 1, n - 1)] ?? a;
  return a + (b - a) * (position - low);
}

/** p99, p97, p95 of raw durations in ms, rounded to whole ms; empty when nothing ran. */
export function latencyOf(durations: readonly number[]): Latency {
  if (durations.length === 0) return {};
  const ascending = durations.toSorted((a, b) => a - b);
  const at = (p: number) => Math.round(percentile(ascending, p));
  return { p99: at(99), p97: at(97), p95: at(95), p50: at(50), rolling1h: 0 };
}
