import {
  IconBell,
  IconFlame,
  IconHeartbeat,
  IconHelp,
  IconLayoutSidebar,
  IconSend,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/AppLink.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { messages } from '../messages.ts';
import { OutboxBadge } from './OutboxBadge.tsx';
import classes from './shell.module.css';

const words = messages.nav;
const ENTRIES: readonly { path: string; text: string; icon: Icon }[] = [
  { path: '/health', text: words.health, icon: IconHeartbeat },
  { path: links.incidents(), text: words.incidents, icon: IconFlame },
  { path: '/notifications', text: words.notifications, icon: IconBell },
  { path: links.outbox(), text: words.outbox, icon: IconSend },
  { path: '/help', text: words.help, icon: IconHelp },
];

/** True on the page of an area and on the pages below it. */
function isWithin(path: string, area: string): boolean {
  return path === area || path.startsWith(`${area}/`);
}

/** The areas of the product, as far as they exist. */
export function NavEntries(props: { path: string; isRail: boolean; onFollow?: () => void }) {
  const { path, isRail, onFollow } = props;
  return (
    <nav aria-label={words.label} className={classes.nav}>
      {ENTRIES.map((entry) => (
        <AppLink
          key={entry.path}
          href={entry.path}
          className={classes.entry}
          {...(isWithin(path, entry.path) ? { 'aria-current': 'page' as const } : {})}
          {...(isRail ? { 'aria-label': entry.text, title: entry.text } : {})}
          onClick={() => onFollow?.()}
        >
          <entry.icon size={18} stroke={1.6} aria-hidden />
          {!isRail && entry.text}
          {entry.path === links.outbox() && <OutboxBadge />}
        </AppLink>
      ))}
    </nav>
  );
}

interface SidebarProps {
  path: string;
  isCollapsed: boolean;
  /** Absent where the screen is too narrow for another width. */
  onToggle: (() => void) | null;
}

export function Sidebar({ path, isCollapsed, onToggle }: SidebarProps) {
  return (
    <div className={`${classes.sidebar} ${isCollapsed ? classes.rail : ''}`}>
      <NavEntries path={path} isRail={isCollapsed} />
      {onToggle !== null && (
        <IconButton
          label={isCollapsed ? words.expand : words.collapse}
          aria-expanded={!isCollapsed}
          className={classes.toggle ?? ''}
          onClick={onToggle}
        >
          <IconLayoutSidebar size={18} stroke={1.6} />
        </IconButton>
      )}
    </div>
  );
}
