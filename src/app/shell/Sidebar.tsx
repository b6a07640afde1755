/** The areas of the product that this user has here: what src/domain/access/screens.ts lets through. */
import {
  IconBell,
  IconBook,
  IconChevronDown,
  IconCircleDot,
  IconClipboardText,
  IconDatabase,
  IconDatabaseImport,
  IconDeviceTablet,
  IconDeviceTv,
  IconFileText,
  IconFlag,
  IconFlame,
  IconHeartbeat,
  IconHelp,
  IconHistory,
  IconLayoutDashboard,
  IconLayoutSidebar,
  IconListCheck,
  IconListSearch,
  IconLogs,
  IconPlug,
  IconPuzzle,
  IconSend,
  IconServer,
  IconSettings,
  IconSitemap,
  IconStack2,
  IconStethoscope,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import { menuScreens, type Screen, type Viewer } from '../../domain/access/screens.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { IconButton } from '../../ui/actions/Button.tsx';
import { useCurrentInSight } from '../../ui/hooks/use-current-in-sight.ts';
import { messages } from '../messages.ts';
import { readSetting, writeSetting } from '../platform.ts';
import { OutboxBadge } from './OutboxBadge.tsx';
import classes from './shell.module.css';
import { lookupTable } from '../../lib/lookup-table.ts';

const words = messages.nav;
const SETTINGS_OPEN_KEY = 'settingsMenuOpen';
const ICON = { size: 18, stroke: 1.6 } as const;

/** By path; a screen that isn't here has a dot. */
const ICONS = lookupTable<Icon>({
  '/topology': IconLayoutDashboard,
  '/health': IconHeartbeat,
  '/incidents': IconFlame,
  '/catalog': IconListSearch,
  '/logs': IconLogs,
  '/playbooks': IconBook,
  '/notifications': IconBell,
  '/shift': IconClipboardText,
  '/outbox': IconSend,
  '/help': IconHelp,
  '/settings/connections': IconPlug,
  '/settings/users': IconUsers,
  '/settings/teams': IconUsersGroup,
  '/settings/incident_rules': IconListCheck,
  '/settings/config_scrapers': IconDatabaseImport,
  '/settings/topologies': IconSitemap,
  '/settings/canaries': IconStethoscope,
  '/settings/jobs': IconHistory,
  '/settings/feature-flags': IconFlag,
  '/settings/logging_backends': IconFileText,
  '/settings/event-queue-status': IconStack2,
  '/settings/agents': IconServer,
  '/settings/tablets': IconDeviceTablet,
  '/settings/walls': IconDeviceTv,
  '/settings/integrations': IconPuzzle,
  '/settings/storage': IconDatabase,
});

/** True on the page of an area and on the pages below it. */
function isWithin(path: string, area: string): boolean {
  return path === area || path.startsWith(`${area}/`);
}

interface NavProps {
  viewer: Viewer;
  path: string;
  isRail: boolean;
  onFollow?: () => void;
}

function Entry({ screen, path, isRail, onFollow }: Omit<NavProps, 'viewer'> & { screen: Screen }) {
  const Mark = ICONS[screen.path] ?? IconCircleDot;
  return (
    <AppLink
      href={screen.path}
      className={classes.entry}
      {...(isWithin(path, screen.path) ? { 'aria-current': 'page' as const } : {})}
      {...(isRail ? { 'aria-label': screen.title, title: screen.title } : {})}
      onClick={() => onFollow?.()}
    >
      <Mark {...ICON} aria-hidden />
      {!isRail && screen.title}
      {screen.path === links.outbox() && <OutboxBadge />}
    </AppLink>
  );
}

/** Opens and closes; remembered, and open on a page of its own. */
function SettingsMenu({ screens, ...nav }: Omit<NavProps, 'viewer'> & { screens: readonly Screen[] }) {
  const [isOpen, setIsOpen] = useState(
    () => readSetting(SETTINGS_OPEN_KEY) === 'true' || isWithin(nav.path, '/settings'),
  );
  if (screens.length === 0) return null;
  const toggle = () => {
    writeSetting(SETTINGS_OPEN_KEY, String(!isOpen));
    setIsOpen(!isOpen);
  };
  return (
    <>
      <button
        type="button"
        className={classes.entry}
        aria-expanded={isOpen}
        {...(nav.isRail ? { 'aria-label': words.settings, title: words.settings } : {})}
        onClick={toggle}
      >
        <IconSettings {...ICON} aria-hidden />
        {!nav.isRail && (
          <>
            {words.settings}
            <IconChevronDown size={15} aria-hidden className={classes.chevron} />
          </>
        )}
      </button>
      {isOpen && (
        <div role="group" aria-label={words.settings} className={classes.submenu}>
          {screens.map((screen) => (
            <Entry key={screen.path} screen={screen} {...nav} />
          ))}
        </div>
      )}
    </>
  );
}

/** In the sidebar, and in the drawer of a hand-held screen. */
export function NavEntries({ viewer, ...nav }: NavProps) {
  const main = menuScreens('main', viewer);
  const settings = menuScreens('settings', viewer);
  const help = main.filter(({ path }) => path === '/help');
  const list = useCurrentInSight<HTMLElement>(nav.path, String(main.length + settings.length));
  return (
    <nav ref={list} aria-label={words.label} className={classes.nav}>
      {main
        .filter((screen) => !help.includes(screen))
        .map((screen) => (
          <Entry key={screen.path} screen={screen} {...nav} />
        ))}
      <SettingsMenu screens={settings} {...nav} />
      {help.map((screen) => (
        <Entry key={screen.path} screen={screen} {...nav} />
      ))}
    </nav>
  );
}

interface SidebarProps {
  viewer: Viewer;
  path: string;
  isCollapsed: boolean;
  /** Absent where the screen is too narrow for another width. */
  onToggle: (() => void) | null;
}

/** `onToggle` is null where the width leaves no choice. */
export function Sidebar({ viewer, path, isCollapsed, onToggle }: SidebarProps) {
  return (
    <div className={`${classes.sidebar} ${isCollapsed ? classes.rail : ''}`}>
      <NavEntries viewer={viewer} path={path} isRail={isCollapsed} />
      {onToggle !== null && (
        <IconButton
          label={isCollapsed ? words.expand : words.collapse}
          aria-expanded={!isCollapsed}
          className={classes.toggle ?? ''}
          onClick={onToggle}
        >
          <IconLayoutSidebar {...ICON} />
        </IconButton>
      )}
    </div>
  );
}
