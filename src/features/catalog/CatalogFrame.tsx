import type { ReactNode } from 'react';
import { LinkedTabs } from '../../ui/page/LinkedTabs.tsx';
import classes from './CatalogFrame.module.css';
import { messages } from './messages.ts';

const words = messages.frame;

/** The four lists of the catalog (spec 2 §2). */
const TABS = [
  { key: 'catalog', text: 'Catalog', href: '/catalog' },
  { key: 'changes', text: 'Changes', href: '/catalog/changes' },
  { key: 'insights', text: 'Insights', href: '/catalog/insights' },
  { key: 'scrapers', text: 'Scrapers', href: '/catalog/scrapers' },
] as const;

interface CatalogFrameProps {
  tab: (typeof TABS)[number]['key'];
  /** How many there are, or what else stands beside the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Search and filters. */
  toolbar?: ReactNode;
  children: ReactNode;
}

/** One of the catalog's lists: heading, tabs and tools stay, the list scrolls. */
export function CatalogFrame({ tab, lead, actions, toolbar, children }: CatalogFrameProps) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>{words.title}</h1>
        <LinkedTabs isFilling label={words.label} tabs={TABS} selected={tab} className={classes.tabs} />
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
