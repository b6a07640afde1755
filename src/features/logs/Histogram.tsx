/** How many lines there are over time; a bar narrows the list to its stretch. */
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

const LAST_PX = 100;

/** See the head of this file. */
export function Histogram({ histogram, between, onBetween }: HistogramProps) {
  const { fromMs, bucketMs, buckets } = histogram;
  const most = Math.max(1, ...buckets.map(({ count }) => count));
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
  const share = (count: number) => `${(count / most) * LAST_PX}%`;
  return (
    <div className={classes.histogram}>
      <div
        role="group"
        aria-label={messages.histogram}
        tabIndex={0}
        className={classes.bars}
        onKeyDown={handleKey}
      >
        {buckets.map(({ count, errors, warnings }, at) => {
          const text = messages.bucket(formatSecond(stretchOf(at).fromMs), count, errors);
          return (
            <button
              key={at}
              type="button"
              tabIndex={-1}
              className={classes.bar}
              aria-label={text}
              aria-pressed={at === chosen}
              title={text}
              onClick={() => onBetween(at === chosen ? null : stretchOf(at))}
            >
              <span className={classes.column} style={{ height: share(count) }}>
                <span
                  className={classes.errorPart}
                  style={{ height: count === 0 ? 0 : `${(errors / count) * 100}%` }}
                />
                <span
                  className={classes.warningPart}
                  style={{ height: count === 0 ? 0 : `${(warnings / count) * 100}%` }}
                />
              </span>
            </button>
          );
        })}
      </div>
      <div className={classes.axis}>
        <span>{formatSecond(fromMs)}</span>
        {between !== null && (
          <Button look="quiet" onClick={() => onBetween(null)}>
            {messages.between(formatSecond(between.fromMs), formatSecond(between.toMs))}: {messages.allTime}
          </Button>
        )}
        <span>{formatSecond(fromMs + buckets.length * bucketMs - 1)}</span>
      </div>
    </div>
  );
}
