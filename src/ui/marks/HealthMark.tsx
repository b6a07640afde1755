import type { HealthState } from '../../domain/check/health.ts';
import classes from './HealthMark.module.css';
import { messages } from '../messages.ts';

const SHAPES: Record<HealthState, React.ReactNode> = {
  healthy: <circle cx="6" cy="6" r="4.6" fill="currentColor" />,
  unhealthy: <path d="M6 0.2 11.8 6 6 11.8 0.2 6Z" fill="currentColor" />,
  warning: <path d="M6 0.8 11.7 11H0.3Z" fill="currentColor" />,
  unknown: (
    <circle
      cx="6"
      cy="6"
      r="4.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="2.3 1.25"
    />
  ),
};

/** Health as a shape of its own besides its colour. Decorative: the word stands beside it or on the row. */
export function HealthMark({ state, size = 12 }: { state: HealthState; size?: number }) {
  return (
    <svg
      className={`${classes.mark} ${classes[state]}`}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      {SHAPES[state]}
    </svg>
  );
}

/** The mark with its word. */
export function HealthLabel({ state, text }: { state: HealthState; text?: string }) {
  return (
    <span className={classes.labelled}>
      <HealthMark state={state} />
      {text ?? messages.health[state]}
    </span>
  );
}
