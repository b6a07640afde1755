/** How many lines there are over time; a bar narrows the list to its stretch. */
import { memo, useId, useMemo, useState } from 'react';
import type { LogFrame } from '../../contract/logs/log-view.ts';
import { formatSecond } from '../../domain/time/format.ts';
import { Button } from '../../ui/actions/Button.tsx';
import classes from './logs.module.css';
import { messages } from './messages.ts';

interface Stretch {
  fromMs: number;
  toMs: number;
}

interface HistogramProps {
  histogram: NonNullable<LogFrame['histogram']>;
  between: Stretch | null;
  onBetween: (between: Stretch | null) => void;
}

type Bucket = HistogramProps['histogram']['buckets'][number];

/** The drawing's own units: a bar of these, and the space to the next. */
const BAR = 9;
const STEP = 10;
const HEIGHT = 100;

interface Paths {
  errors: string;
  warnings: string;
  others: string;
}

/** All bars as three shapes: errors on top, then warnings, then whatever else was logged. */
function pathsOf(buckets: readonly Bucket[], most: number): Paths {
  const paths: Paths = { errors: '', warnings: '', others: '' };
  for (const [at, { count, errors, warnings }] of buckets.entries()) {
    let top = HEIGHT - (count / most) * HEIGHT;
    const parts = { errors, warnings, others: count - errors - warnings };
    for (const kind of ['errors', 'warnings', 'others'] as const) {
      const high = (parts[kind] / most) * HEIGHT;
      if (high > 0) paths[kind] += `M${at * STEP} ${top.toFixed(1)}h${BAR}v${high.toFixed(1)}h-${BAR}z`;
      top += high;
    }
  }
  return paths;
}

const Bars = memo(function Bars({ buckets, most }: { buckets: readonly Bucket[]; most: number }) {
  const stripes = useId();
  const { errors, warnings, others } = pathsOf(buckets, most);
  return (
    <svg viewBox={`0 0 ${buckets.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <pattern id={stripes} width={STEP} height="10" patternUnits="userSpaceOnUse">
        <path d={`M0 0h${STEP}v6h-${STEP}z`} className={classes.warningPart} />
      </pattern>
      <path d={others} className={classes.otherPart} />
      <path d={warnings} fill={`url(#${stripes})`} />
      <path d={errors} className={classes.errorPart} />
    </svg>
  );
});

/** Where a bar stands; drawn behind it. */
function Mark({ at, count, isChosen }: { at: number; count: number; isChosen: boolean }) {
  const style = { left: `${(at / count) * HEIGHT}%`, width: `${HEIGHT / count}%` };
  return <span className={classes.bucket} data-chosen={isChosen ? '' : undefined} style={style} />;
}

/** See the head of this file. Drawn anew only when the counts or the stretch changed. */
export const Histogram = memo(function Histogram({ histogram, between, onBetween }: HistogramProps) {
  const [over, setOver] = useState<number | null>(null);
  const { fromMs, bucketMs, buckets } = histogram;
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  // A key changes the counts, and rarely the times.
  const times = useMemo(
    () => buckets.map((_, at) => formatSecond(fromMs + at * bucketMs)),
    // oxlint-disable-next-line react/exhaustive-deps -- of the buckets only their number matters
    [fromMs, bucketMs, buckets.length],
  );
  const stretchOf = (at: number): Stretch => ({
    fromMs: fromMs + at * bucketMs,
    toMs: fromMs + (at + 1) * bucketMs - 1,
  });
  const chosen = between === null ? -1 : Math.floor((between.fromMs - fromMs) / bucketMs);
  const handleKey = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') return onBetween(null);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const start = chosen < 0 ? (step === 1 ? -1 : buckets.length) : chosen;
    onBetween(stretchOf(Math.min(buckets.length - 1, Math.max(0, start + step))));
  };
  const barAt = ({ clientX, currentTarget }: React.MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(buckets.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * buckets.length)));
  };
  const textOf = (at: number, { count, errors }: Bucket) => messages.bucket(times[at] ?? '', count, errors);
  const pointed = over === null ? undefined : buckets[over];
  return (
    <div className={classes.histogram}>
      <div
        role="group"
        aria-label={messages.histogram}
        tabIndex={0}
        className={classes.bars}
        onKeyDown={handleKey}
        onPointerMove={(event) => setOver(barAt(event))}
        onPointerLeave={() => setOver(null)}
        onClick={(event) => {
          const at = barAt(event);
          onBetween(at === chosen ? null : stretchOf(at));
        }}
      >
        {over !== null && over !== chosen && <Mark at={over} count={buckets.length} isChosen={false} />}
        {chosen >= 0 && <Mark at={chosen} count={buckets.length} isChosen />}
        <Bars buckets={buckets} most={most} />
      </div>
      <div className={classes.axis}>
        <span>{times[0]}</span>
        {over !== null && pointed !== undefined && (
          <span className={classes.pointed} aria-hidden>
            {textOf(over, pointed)}
          </span>
        )}
        {between !== null && (
          <Button look="quiet" onClick={() => onBetween(null)}>
            {messages.between(formatSecond(between.fromMs), formatSecond(between.toMs))}: {messages.allTime}
          </Button>
        )}
        <span>{formatSecond(fromMs + buckets.length * bucketMs - 1)}</span>
      </div>
    </div>
  );
});
