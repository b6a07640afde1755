import type { ReactNode } from 'react';
import classes from './TablePage.module.css';

interface TablePageProps {
  title: string;
  /** How many there are, or what else stands beside the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Search and filters. */
  toolbar?: ReactNode;
  children: ReactNode;
}

/** A page that is one list: its heading and tools stay, the list scrolls. */
export function TablePage({ title, lead, actions, toolbar, children }: TablePageProps) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>{title}</h1>
        {lead !== undefined && (
          <span role="status" className={classes.lead}>
            {lead}
          </span>
        )}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      {children}
    </div>
  );
}
