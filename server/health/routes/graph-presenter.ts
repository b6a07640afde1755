import type { BucketRow, PercentileRow } from './graph-query.ts';

/** Points, percentiles and uptime of a graph; a failed point has no `status` (schema §4.7). */
export function presentGraph(graph: {
  buckets: readonly BucketRow[];
  percentiles: readonly PercentileRow[];
}) {
  const status = graph.buckets.map(({ at, duration, passed, failed }) => ({
    time: new Date(at).toISOString(),
    ...(failed === 0 ? { status: true } : {}),
    duration,
    passed,
    failed,
  }));
  const latency: Record<string, number> = { rolling1h: 0 };
  for (const { p, value } of graph.percentiles) latency[`p${p}`] = value;
  const uptime = { passed: 0, failed: 0 };
  for (const { passed, failed } of graph.buckets) {
    uptime.passed += passed;
    uptime.failed += failed;
  }
  return { status, latency, uptime };
}
