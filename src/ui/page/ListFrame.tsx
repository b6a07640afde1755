import type { ReactNode } from 'react';
import { LinkedTabs, type LinkedTab } from './LinkedTabs.tsx';
import classes from './ListFrame.module.css';

export interface ListFrameProps<Key extends string> {
  title: string;
  /** What the tabs are, for who can't see them. */
  label: string;
  tabs: readonly LinkedTab<Key>[];
  tab: Key;
  /** How many there are, or what else stands beside the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Search and filters. */
  toolbar?: ReactNode;
  children: ReactNode;
}

/** One of several lists that belong together: heading, tabs and tools stay, the list scrolls. */
export function ListFrame<Key extends string>(props: ListFrameProps<Key>) {
  const { title, label, tabs, tab, lead, actions, toolbar, children } = props;
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>{title}</h1>
        <LinkedTabs isFilling label={label} tabs={tabs} selected={tab} className={classes.tabs} />
        <span role="status" className={classes.lead}>
          {lead}
        </span>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      <div className={classes.body}>{children}</div>
    </div>
  );
}
