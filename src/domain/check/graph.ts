import type { CheckStatus, Latency, Uptime } from './check.ts';
import { latencyOf } from './percentile.ts';

/** One point of the health overview: a bucket of runs. */
export interface GraphPoint {
  /** Centre of the bucket, ISO. */
  time: string;
  status: boolean;
  /** Mean duration, whole ms. */
  duration: number;
  passed: number;
  failed: number;
}

export interface Graph {
  points: GraphPoint[];
  latency: Latency;
  uptime: Uptime;
}

/** The chart's own limit (spec 1 §2). */
const MAX_POINTS = 300;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Bucket width for a window (schema §4.7): ≤2 h 1 min, ≤24 h 15 min, ≤7 d 1 h, else 4 h. */
export function bucketMs(windowMs: number): number {
  if (windowMs <= 2 * HOUR_MS) return MINUTE_MS;
  if (windowMs <= DAY_MS) return 15 * MINUTE_MS;
  if (windowMs <= 7 * DAY_MS) return HOUR_MS;
  return 4 * HOUR_MS;
}

/** Width that also keeps within `maxPoints` (the graph's `count`), a whole multiple of the contract's width. */
export function bucketMsFor(windowMs: number, maxPoints: number): number {
  const width = bucketMs(windowMs);
  return width * Math.max(1, Math.ceil(windowMs / width / Math.max(1, maxPoints)));
}

/** Builds the graph from stored runs, in the buckets that the server uses; runs outside the window are left out. */
export function graphOf(
  runs: readonly CheckStatus[],
  window: { fromMs: number; untilMs: number; maxPoints?: number },
): Graph {
  const { fromMs, untilMs, maxPoints = MAX_POINTS } = window;
  const width = bucketMsFor(untilMs - fromMs, maxPoints);
  const buckets = new Map<number, { sum: number; passed: number; failed: number }>();
  const durations: number[] = [];
  for (const run of runs) {
    const at = Date.parse(run.time);
    if (at < fromMs || at > untilMs) continue;
    const key = Math.floor((at + width / 2) / width) * width;
    const bucket = buckets.get(key) ?? { sum: 0, passed: 0, failed: 0 };
    bucket.sum += run.duration ?? 0;
    if (run.status) bucket.passed += 1;
    else bucket.failed += 1;
    buckets.set(key, bucket);
    durations.push(run.duration ?? 0);
  }
  const points = [...buckets.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([at, { sum, passed, failed }]) => ({
      time: new Date(at).toISOString(),
      status: failed === 0,
      duration: Math.trunc(sum / (passed + failed)),
      passed,
      failed,
    }));
  const uptime = points.reduce(
    (acc, p) => ({ passed: acc.passed + p.passed, failed: acc.failed + p.failed }),
    {
      passed: 0,
      failed: 0,
    },
  );
  return { points, latency: latencyOf(durations), uptime };
}
