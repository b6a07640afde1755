import type { HealthCounts, HealthState } from '../domain/check/health.ts';
import classes from './HealthBar.module.css';
import { HealthMark } from './HealthMark.tsx';
import { messages } from './messages.ts';

const ORDER: readonly HealthState[] = ['unhealthy', 'warning', 'unknown', 'healthy'];

/** How a set of checks divides by health: segments for the eye, shapes with counts for everyone. */
export function HealthBar({ counts, hasBar = true }: { counts: HealthCounts; hasBar?: boolean }) {
  const present = ORDER.filter((state) => counts[state] > 0);
  return (
    <span className={classes.root}>
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
        {present.map((state) => (
          <span key={state} className={classes.count} title={`${counts[state]} ${messages.health[state]}`}>
            <HealthMark state={state} size={10} />
            {counts[state].toLocaleString()}
            <span className="visually-hidden"> {messages.health[state]}</span>
          </span>
        ))}
      </span>
    </span>
  );
}
