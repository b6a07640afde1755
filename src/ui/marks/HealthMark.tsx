import type { CheckLook, HealthState } from '../../domain/check/health.ts';
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

const LINE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 };

/** What is old is hollow, with the hands of a clock. */
const OUTLINES: Record<HealthState, React.ReactNode> = {
  healthy: <circle cx="6" cy="6" r="5" {...LINE} />,
  unhealthy: <path d="M6 1 11 6 6 11 1 6Z" {...LINE} />,
  warning: <path d="M6 1.6 11 11H1Z" {...LINE} />,
  unknown: <circle cx="6" cy="6" r="5" {...LINE} />,
};

const LOOKS: Record<CheckLook, (state: HealthState) => React.ReactNode> = {
  notRun: () => <path d="M2.6 1.2v9.6M9.4 1.2v9.6" {...LINE} strokeWidth="3" />,
  overdue: (state) => (
    <>
      {OUTLINES[state]}
      <path d="M6 3.2v3.1l2 1.6" {...LINE} strokeWidth="1.3" />
    </>
  ),
};

interface HealthMarkProps {
  state: HealthState;
  /** Of a check: that it is not run, or overdue. */
  look?: CheckLook | null;
  size?: number;
  /** What it is read as; where none is given, the word stands beside it. */
  label?: string;
}

/** Health as a shape of its own besides its colour. */
export function HealthMark({ state, look = null, size = 12, label }: HealthMarkProps) {
  return (
    <svg
      className={`${classes.mark} ${classes[state]}`}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      data-frame="health"
    >
      {look === null ? SHAPES[state] : LOOKS[look](state)}
    </svg>
  );
}

/** The mark with its word. */
export function HealthLabel({
  state,
  text,
  look = null,
}: Pick<HealthMarkProps, 'state' | 'look'> & { text?: string }) {
  return (
    <span className={classes.labelled} data-frame="health">
      <HealthMark state={state} look={look} />
      {text ?? messages.health[state]}
    </span>
  );
}
