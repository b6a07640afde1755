/** One check with the durations of its last hour. */
import { Suspense, useMemo } from 'react';
import type { TileOf } from '../../../contract/http/walls.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { lookOf } from '../../../domain/check/health.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { checkWords } from '../../../ui/marks/check-words.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { lazyPart, Nothing } from '../../../ui/page/lazy-part.tsx';
import { messages } from '../messages.ts';
import { screenSide, useElementSize } from '../use-element-size.ts';
import classes from './tiles.module.css';

const words = messages.tiles;
const HOUR_MS = 3_600_000;
const SMALLEST_CHART_PX = 60;
/** Of a screen's smaller side. */
const TEXT_PART = 0.02;
const SMALLEST_TEXT_PX = 11;
const TimeChart = lazyPart(async () => (await import('../../../ui/marks/TimeChart.tsx')).TimeChart, Nothing);
const WORDS = { passed: words.passed, failed: words.failed };

function Chart({ checkId, name, scale }: { checkId: string; name: string; scale: number }) {
  const device = useDevice();
  const { size, measure } = useElementSize();
  const textPx = Math.max(SMALLEST_TEXT_PX, Math.round(screenSide() * scale * TEXT_PART));
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
            textPx={textPx}
            height={Math.floor(size.height - 1.5 * textPx - 11)}
            summary={words.chart(name)}
            words={WORDS}
          />
        </Suspense>
      )}
    </div>
  );
}

/** `tile` names the check. */
export function CheckTile({ tile, scale }: { tile: TileOf<'check'>; scale: number }) {
  const found = useCheck(tile.checkId);
  if (tile.checkId === '') return <p className={classes.empty}>{words.noCheckYet}</p>;
  if (found === undefined) return <p className={classes.empty}>{words.loading}</p>;
  if (found === null) return <p className={classes.empty}>{words.noCheck}</p>;
  const { check, health } = found;
  const look = lookOf(check, health);
  const latency = check.latency.p95;
  return (
    <div className={classes.check}>
      <p className={classes.checkHead} data-health={health.state} data-look={look}>
        <HealthMark state={health.state} look={look} />
        <span className={classes.name}>{check.name}</span>
        <SilencedMark kind="check" id={check.id} />
        <span className={classes.aside}>
          {checkWords(check, health)}
          {latency === null || latency === undefined ? '' : ` · ${formatDuration(latency)}`}
        </span>
      </p>
      <Chart checkId={tile.checkId} name={check.name} scale={scale} />
    </div>
  );
}
