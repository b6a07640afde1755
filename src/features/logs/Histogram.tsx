/** How many lines there are over time; a bar narrows the list to its stretch. */
import { memo, useMemo, useState } from 'react';
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

const WHOLE = 100;

type Bucket = HistogramProps['histogram']['buckets'][number];

const percent = (part: number, whole: number) => `${whole === 0 ? 0 : (part / whole) * WHOLE}%`;

interface BarProps {
  at: number;
  text: string;
  most: number;
  bucket: Bucket;
  isChosen: boolean;
  onPress: (at: number) => void;
  onOver: (at: number | null) => void;
}

function Bar({ at, text, most, bucket: { count, errors, warnings }, isChosen, onPress, onOver }: BarProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.bar}
      aria-label={text}
      aria-pressed={isChosen}
      onClick={() => onPress(at)}
      onPointerEnter={() => onOver(at)}
      onPointerLeave={() => onOver(null)}
    >
      <span className={classes.column} style={{ height: percent(count, most) }}>
        {errors > 0 && <span className={classes.errorPart} style={{ height: percent(errors, count) }} />}
        {warnings > 0 && (
          <span className={classes.warningPart} style={{ height: percent(warnings, count) }} />
        )}
      </span>
    </button>
  );
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
      >
        {buckets.map((bucket, at) => (
          <Bar
            key={at}
            at={at}
            text={textOf(at, bucket)}
            most={most}
            bucket={bucket}
            isChosen={at === chosen}
            onPress={() => onBetween(at === chosen ? null : stretchOf(at))}
            onOver={setOver}
          />
        ))}
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
