/** One check with the durations of its last hour. */
import { Suspense, useMemo } from 'react';
import type { TileOf } from '../../../contract/http/walls.ts';
import { useCheck } from '../../../data/queries/use-check.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { lazyPart, Nothing } from '../../../ui/page/lazy-part.tsx';
import { messages } from '../messages.ts';
import { useElementSize } from '../use-element-size.ts';
import classes from './tiles.module.css';

const words = messages.tiles;
const HOUR_MS = 3_600_000;
const SMALLEST_CHART_PX = 60;
const TimeChart = lazyPart(async () => (await import('../../../ui/marks/TimeChart.tsx')).TimeChart, Nothing);
const WORDS = { passed: words.passed, failed: words.failed };

function Chart({ checkId, name }: { checkId: string; name: string }) {
  const device = useDevice();
  const { size, measure } = useElementSize();
  const { kept } = useQuery('check-graph', { checkId, range: '1h' });
  const chart = useMemo(() => {
    if (kept === null) return null;
    const untilMs = device.now();
    const points = kept.value.points.map(({ time, duration, status }) => ({
      timeMs: Date.parse(time),
      duration,
      isPassed: status,
    }));
    return { fromMs: untilMs - HOUR_MS, untilMs, points };
  }, [device, kept]);
  return (
    <div ref={measure} className={classes.fitting}>
      {chart !== null && size.height > SMALLEST_CHART_PX && (
        <Suspense fallback={null}>
          <TimeChart
            {...chart}
            height={Math.floor(size.height) - 28}
            summary={words.chart(name)}
            words={WORDS}
          />
        </Suspense>
      )}
    </div>
  );
}

/** `tile` names the check. */
export function CheckTile({ tile }: { tile: TileOf<'check'> }) {
  const found = useCheck(tile.checkId);
  if (found === undefined) return <p className={classes.empty}>{words.loading}</p>;
  if (found === null) return <p className={classes.empty}>{words.noCheck}</p>;
  const { check, health } = found;
  const latency = check.latency.p95;
  return (
    <div className={classes.check}>
      <p className={classes.checkHead} data-health={health.state}>
        <HealthMark state={health.state} />
        <span className={classes.name}>{check.name}</span>
        <SilencedMark kind="check" id={check.id} />
        <span className={classes.aside}>
          {ui.health[health.state]}
          {latency === null || latency === undefined ? '' : ` · ${formatDuration(latency)}`}
        </span>
      </p>
      <Chart checkId={tile.checkId} name={check.name} />
    </div>
  );
}
