import type { Freshness } from '../../contract/worker.ts';
import classes from './shell.module.css';

/** A shape of its own for each: full, hollow, and struck through. None is a health colour. */
export function FreshnessMark({ freshness }: { freshness: Freshness }) {
  return (
    <svg className={classes.freshnessMark} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {freshness === 'fresh' && <rect x="2" y="2" width="8" height="8" rx="2" fill="var(--accent)" />}
      {freshness !== 'fresh' && (
        <rect
          x="2.2"
          y="2.2"
          width="7.6"
          height="7.6"
          rx="2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray={freshness === 'ageing' ? '2.4 1.4' : 'none'}
        />
      )}
      {freshness === 'stale' && <path d="M0.8 11.2 11.2 0.8" stroke="currentColor" strokeWidth="1.6" />}
    </svg>
  );
}
