import type { LogLevel } from '../../domain/logs/log-level.ts';
import classes from './logs.module.css';

const SHAPES: Record<LogLevel, React.ReactNode> = {
  fatal: <path d="M3.6 0.4h4.8l3.2 3.2v4.8l-3.2 3.2H3.6L0.4 8.4V3.6Z" fill="currentColor" />,
  error: <path d="M6 0.4 11.6 6 6 11.6 0.4 6Z" fill="currentColor" />,
  warning: <path d="M6 1 11.5 10.8H0.5Z" fill="currentColor" />,
  info: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  debug: <circle cx="6" cy="6" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  trace: <circle cx="6" cy="6" r="1.8" fill="currentColor" />,
  unknown: <path d="M3 6h6" stroke="currentColor" strokeWidth="1.5" />,
};

/** The level as a shape of its own besides its colour. Decorative: the word stands beside it or is its row's. */
export function LevelMark({ level }: { level: LogLevel }) {
  return (
    <svg
      className={`${classes.mark} ${classes[level] ?? ''}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      {SHAPES[level]}
    </svg>
  );
}
