import { Suspense, useMemo } from 'react';
import type { GraphView } from '../../../contract/queries/check-queries.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import type { TimeRange } from '../../../domain/time/ranges.ts';
import { rangeMinutes } from '../../../domain/time/ranges.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import classes from './drawer.module.css';
import { messages } from './messages.ts';
import { NotHere } from './NotHere.tsx';

const TimeChart = lazyPart(async () => (await import('../../../ui/marks/TimeChart.tsx')).TimeChart);

const WORDS = { passed: messages.passed, failed: messages.failed };
const MINUTE_MS = 60_000;

function summaryOf({ uptime, latency }: GraphView, range: TimeRange): string {
  return messages.chartSummary({
    runs: uptime.passed + uptime.failed,
    failed: uptime.failed,
    range,
    p95: latency.p95 === null || latency.p95 === undefined ? ui.nothing : formatDuration(latency.p95),
  });
}

interface OverviewChartProps {
  graph: Loadable<GraphView>;
  range: TimeRange;
  height: number;
}

/** Durations and results of the range. */
export function OverviewChart({ graph, range, height }: OverviewChartProps) {
  const device = useDevice();
  const { kept } = graph;
  const chart = useMemo(() => {
    if (kept === null) return null;
    const untilMs = device.now();
    return {
      untilMs,
      fromMs: untilMs - rangeMinutes(range) * MINUTE_MS,
      points: kept.value.points.map((point) => ({
        timeMs: Date.parse(point.time),
        duration: point.duration,
        isPassed: point.status,
      })),
    };
  }, [device, kept, range]);
  if (kept === null || chart === null) {
    if (graph.error !== null) return <NotHere what={messages.overview} error={graph.error} />;
    return (
      <div className={classes.noRuns} style={{ minHeight: height }} role="status">
        {ui.loading}
      </div>
    );
  }
  if (chart.points.length === 0) {
    return (
      <div>
        <p className={classes.noRuns}>{messages.noRuns}</p>
        <CacheNote {...kept} />
      </div>
    );
  }
  return (
    <>
      <Suspense fallback={<div style={{ height: height + 18 }} />}>
        <TimeChart {...chart} height={height} summary={summaryOf(kept.value, range)} words={WORDS} />
      </Suspense>
      <CacheNote {...kept} />
    </>
  );
}
