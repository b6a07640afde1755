/**
 * What a line of the benchmark says: how its samples become one value, when that can be judged against the goal, and
 * when two results differ. Pure.
 */
import { percentile } from '../percentile.ts';

export type Unit = 'ms' | 'fps' | 'KB' | 'MB' | '%' | '';

/** What of the samples is judged; `exact` is a count that does not vary from run to run. */
export type Statistic = 'median' | 'p95' | 'max' | 'exact';

export interface Line {
  part: string;
  title: string;
  unit: Unit;
  statistic: Statistic;
  /** At most this, for frames a second at least this; null where there is none. */
  goal: number | null;
  /** What the client that this one succeeds did. */
  before: string;
  /** Among the lines of `--quick`. */
  isHeadline?: true;
  /** Fewer than the statistic usually wants, where a run is costly. */
  minRuns?: number;
}

export interface Measurement {
  key: string;
  line: Line;
  /** One for each run. */
  samples: readonly number[];
  /** CPU time of all processes of the benchmark (browser, server, itself), for each run; null when not taken. */
  cpuMs: number | null;
  /** Cores that other programs kept busy, before it or while it ran, whichever was more; null when not taken. */
  load: number | null;
  /** What it was measured on, in a few words. */
  note?: string;
  /** Why there is no figure, or not all of them. */
  error?: string;
}

export type Verdict = { kind: 'held' | 'missed' | 'no goal' } | { kind: 'not judged'; reason: string };
export type Difference =
  | { kind: 'better' | 'worse' | 'within the spread' }
  | { kind: 'not compared'; reason: string };

/** More than this many cores busy with something else, and wall times say little. */
export const MAX_LOAD = 0.5;
const MIN_RUNS: Record<Statistic, number> = { median: 5, p95: 20, max: 5, exact: 1 };
/** Of the normal distribution, for an interval of 90 %. */
const Z = 1.645;
const SHARE = { median: 0.5, p95: 0.95 } as const;

const ascending = (samples: readonly number[]) => samples.toSorted((a, b) => a - b);

/** The one value that is judged; NaN of none. */
export function valueOf({ line, samples }: Measurement): number {
  switch (line.statistic) {
    case 'median':
    case 'p95':
      return percentile(samples, SHARE[line.statistic]);
    case 'max':
    case 'exact':
      return samples.length === 0 ? Number.NaN : Math.max(...samples);
  }
}

/** What is printed as the spread: p10 to p90, of fewer than ten runs the least and the most. */
export function spreadOf({ samples }: Measurement): [number, number] {
  if (samples.length < 10) return [Math.min(...samples), Math.max(...samples)];
  return [percentile(samples, 0.1), percentile(samples, 0.9)];
}

/**
 * Between which samples the true median (or p95) lies with a confidence of 90 %, whatever their distribution: the
 * number of samples below a quantile is binomial. Greatest values and counts are taken as they are.
 */
export function intervalOf(measurement: Measurement): [number, number] {
  const { line, samples } = measurement;
  if (line.statistic === 'max' || line.statistic === 'exact') {
    const value = valueOf(measurement);
    return [value, value];
  }
  const share = SHARE[line.statistic];
  const sorted = ascending(samples);
  const count = sorted.length;
  const reach = Z * Math.sqrt(count * share * (1 - share));
  const at = (rank: number) => sorted[Math.min(count, Math.max(1, rank)) - 1] ?? Number.NaN;
  return [at(Math.floor(count * share - reach)), at(Math.ceil(count * share + reach))];
}

/** Fewer samples are not judged. */
export function runsWanted({ minRuns, statistic }: Line): number {
  return minRuns ?? MIN_RUNS[statistic];
}

/** Why a measurement says nothing; null when it does. */
function whyUnusable({ line, samples, load, error }: Measurement): string | null {
  if (error !== undefined) return `failed: ${error}`;
  if (samples.length === 0) return 'not measured';
  const wanted = runsWanted(line);
  if (samples.length < wanted) return `too few runs: ${samples.length} of ${wanted}`;
  if (load !== null && load > MAX_LOAD && line.statistic !== 'exact')
    return `the machine was busy: ${load.toFixed(1)} cores`;
  return null;
}

/** Whether the goal is held, or why that cannot be said. */
export function judge(measurement: Measurement): Verdict {
  const { goal, unit } = measurement.line;
  const reason = whyUnusable(measurement);
  if (reason !== null) return { kind: 'not judged', reason };
  if (goal === null) return { kind: 'no goal' };
  const holds = (value: number) => (unit === 'fps' ? value >= goal : value <= goal);
  const [low, high] = intervalOf(measurement);
  if (holds(low) !== holds(high)) return { kind: 'not judged', reason: 'the spread reaches over the goal' };
  return { kind: holds(low) ? 'held' : 'missed' };
}

/** Whether a later result differs from an earlier one by more than both vary. */
export function compare(before: Measurement, now: Measurement): Difference {
  const reason = whyUnusable(before) ?? whyUnusable(now);
  if (reason !== null) {
    const when = whyUnusable(before) === null ? 'now' : 'before';
    return { kind: 'not compared', reason: `${when}, ${reason}` };
  }
  if (before.line.unit !== now.line.unit || before.line.statistic !== now.line.statistic)
    return { kind: 'not compared', reason: 'measured in another way' };
  const [lowBefore, highBefore] = intervalOf(before);
  const [lowNow, highNow] = intervalOf(now);
  if (lowNow <= highBefore && lowBefore <= highNow) return { kind: 'within the spread' };
  const isMore = lowNow > highBefore;
  return { kind: isMore === (now.line.unit === 'fps') ? 'better' : 'worse' };
}
