import { formatCount } from '../../domain/format-count.ts';
import type { HealthCounts, HealthState } from '../../domain/check/health.ts';
import classes from './HealthBar.module.css';
import { HealthMark } from './HealthMark.tsx';
import { messages } from '../messages.ts';

const ORDER: readonly HealthState[] = ['unhealthy', 'warning', 'unknown', 'healthy'];

/** How a set of checks divides by health: segments for the eye, shapes with counts for everyone. */
export function HealthBar(props: {
  counts: HealthCounts;
  hasBar?: boolean;
  /** What the states are called here; as checks call them when not given. */
  words?: Readonly<Record<HealthState, string>>;
}) {
  const { counts, hasBar = true, words = messages.health } = props;
  const present = ORDER.filter((state) => counts[state] > 0);
  return (
    <span className={classes.root} data-frame="health">
      {hasBar && (
        <span className={classes.bar} aria-hidden="true">
          {present.map((state) => (
            <span
              key={state}
              className={`${classes.segment} ${classes[state]}`}
              style={{ flexGrow: counts[state] }}
            />
          ))}
        </span>
      )}
      <span className={classes.counts}>
        {present.map((state) => {
          const text = `${counts[state]} ${words[state]}`;
          return (
            <span key={state} role="img" aria-label={text} title={text} className={classes.count}>
              <HealthMark state={state} size={10} />
              {formatCount(counts[state])}
            </span>
          );
        })}
      </span>
    </span>
  );
}
