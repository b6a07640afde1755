import type { ReactNode } from 'react';
import classes from './Page.module.css';

interface PageProps {
  title: string;
  lead?: ReactNode;
  /** Gets what scrolls, for a virtual list within the page. */
  onScroller?: (element: HTMLElement | null) => void;
  children: ReactNode;
}

/** A page of text and facts, with its heading. */
export function Page({ title, lead, onScroller, children }: PageProps) {
  // It scrolls, so the keyboard must be able to reach it even where nothing in it takes the focus.
  return (
    <div ref={onScroller} className={classes.page} tabIndex={0}>
      <div className={classes.inner}>
        <div className={classes.head}>
          <h1>{title}</h1>
          {lead !== undefined && <span className={classes.lead}>{lead}</span>}
        </div>
        {children}
      </div>
    </div>
  );
}

/** Names with their values, one a line. */
export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A line with a heading at its start and an action at its end. */
export function PageBar({ children }: { children: ReactNode }) {
  return <div className={classes.bar}>{children}</div>;
}

/** Text that a machine wrote, within a page of prose. */
export function PageCode({ children }: { children: ReactNode }) {
  return <div className={classes.code}>{children}</div>;
}
