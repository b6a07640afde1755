import { Suspense, type ReactNode } from 'react';
import classes from './shell.module.css';
import { useAfterFirstLoad } from './use-after-first-load.ts';

/** What the first screen does without; so does its first frame at the next start. */
export function AfterFirstLoad({ children }: { children: ReactNode }) {
  if (!useAfterFirstLoad()) return null;
  return (
    <span className={classes.contents} data-frame="none">
      <Suspense fallback={null}>{children}</Suspense>
    </span>
  );
}
