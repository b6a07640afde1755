import classes from './list/incidents.module.css';
import { wordFor } from './words.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

/** How many of four bars are filled; colours are kept for health. */
const LEVELS = lookupTable<number>({
  info: 1,
  low: 1,
  warning: 2,
  medium: 2,
  high: 3,
  blocker: 4,
  critical: 4,
});
const BARS = [0, 1, 2, 3];

/** A severity, written in any case, as its word, with bars that show how much; the worse, the heavier. */
export function SeverityMark({ severity }: { severity: string }) {
  const known = severity.toLowerCase();
  const level = LEVELS[known] ?? 0;
  return (
    <span className={classes.severity} data-level={level}>
      <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
        {BARS.map((at) => (
          <rect
            key={at}
            x={at * 3.6}
            y={8 - at * 2.4}
            width="2.6"
            height={4 + at * 2.4}
            rx="0.8"
            fill={at < level ? 'currentColor' : 'var(--surface-3)'}
          />
        ))}
      </svg>
      {wordFor('severities', level === 0 ? severity : known)}
    </span>
  );
}
