import { AppLink } from '../actions/AppLink.tsx';
import { useCurrentInSight } from '../hooks/use-current-in-sight.ts';
import classes from './LinkedTabs.module.css';

export interface LinkedTab<Key extends string> {
  key: Key;
  text: string;
  href: string;
  /** How much is behind it. */
  badge?: string | null;
}

interface LinkedTabsProps<Key extends string> {
  label: string;
  tabs: readonly LinkedTab<Key>[];
  selected: Key;
  /** On a hand-held screen they share the whole width. */
  isFilling?: boolean;
  /** Where the strip stands. */
  className?: string | undefined;
}

/** Parts of one subject, each a page with an address of its own; tabs over a panel of the same page are `TabList`. */
export function LinkedTabs<Key extends string>(props: LinkedTabsProps<Key>) {
  const { label, tabs, selected, isFilling = false, className = '' } = props;
  const entries = tabs.map(({ text, badge }) => `${text} ${badge ?? ''}`).join();
  const list = useCurrentInSight<HTMLElement>(selected, entries);
  return (
    <nav
      ref={list}
      aria-label={label}
      className={`${classes.list} ${isFilling ? classes.filling : ''} ${className}`}
    >
      {tabs.map(({ key, text, href, badge = null }) => (
        <AppLink
          key={key}
          href={href}
          className={classes.tab}
          {...(key === selected ? { 'aria-current': 'page' as const } : {})}
        >
          {text}
          {badge !== null && <span className={classes.badge}>{badge}</span>}
        </AppLink>
      ))}
    </nav>
  );
}
