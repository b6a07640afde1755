/** Top bar, sidebar and the page between them. */
import { IconBell, IconHelp, IconMenu2, IconRefresh, IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import type { SessionUser } from '../../contract/session-user.ts';
import { refresh } from '../../data/commands/commands.ts';
import { tabletHere } from '../../data/device/platform-tablet.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { may } from '../../domain/access/matrix.ts';
import { screenAccess, screenAt, type Viewer } from '../../domain/access/screens.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { buttonClass, IconButton } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { MenuItem, Popover, preloadPanel } from '../../ui/overlays/Popover.tsx';
import { ProductMark } from '../../ui/marks/ProductMark.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { focusFirstRow } from '../../ui/tables/row-keys.ts';
import { useMedia } from '../../ui/hooks/use-media.ts';
import { useShortcut } from '../../ui/hooks/use-shortcut.ts';
import { messages } from '../messages.ts';
import type { SignOut } from '../gate/Gate.tsx';
import { readSetting, writeSetting } from '../platform.ts';
import { UpdatePrompt } from '../update-prompt/UpdatePrompt.tsx';
import { AfterFirstLoad } from './AfterFirstLoad.tsx';
import { ConnectivityChip } from './ConnectivityChip.tsx';
import { ProfileMenu } from './ProfileMenu.tsx';
import { NotCurrent } from './NotCurrent.tsx';
import {
  CatchUp,
  DemoTag,
  InboxBell,
  KubeconfigModal,
  LeaveGuard,
  OrganizationSwitcher,
  Shortcuts,
  SignOutSheet,
  TabletMenu,
} from './lazy-parts.tsx';
import { OutboxBadge, useOutboxCounts } from './OutboxBadge.tsx';
import { outboxText } from './outbox-text.ts';
import { NavEntries, Sidebar } from './Sidebar.tsx';
import { useAfterFirstLoad } from './use-after-first-load.ts';
import classes from './shell.module.css';

const COLLAPSED_KEY = 'sidebarCollapsed';
/** Below, the sidebar is a rail and opens over the page (contract §19.13). */
const NARROW = '(max-width: 1023px)';
/** The element of the page within the shell. */
export const CONTENT_ID = 'content';
const NOTIFICATIONS = '/notifications';

/** To the page where there is no list. */
function jumpToList(): void {
  if (!focusFirstRow()) document.getElementById(CONTENT_ID)?.focus();
}

interface ShellProps {
  user: SessionUser;
  viewer: Viewer;
  path: string;
  onSignOut: SignOut;
  children: ReactNode;
}

function DocsMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const device = useDevice();
  return (
    <Popover
      kind="menu"
      label={messages.top.docs}
      trigger={(trigger) => (
        <IconButton label={messages.top.docs} className={classes.roomy ?? ''} {...trigger}>
          <IconHelp size={19} stroke={1.6} />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <MenuItem
            onSelect={() => {
              close();
              device.navigate('/help');
            }}
          >
            {messages.top.helpPage}
          </MenuItem>
          <MenuItem
            onSelect={() => {
              close();
              device.navigate(links.agentHelp());
            }}
          >
            {messages.top.agentHelp}
          </MenuItem>
          <MenuItem
            trailing={<kbd>?</kbd>}
            onSelect={() => {
              close();
              onShortcuts();
            }}
          >
            {messages.top.shortcuts}
          </MenuItem>
        </>
      )}
    </Popover>
  );
}

function RefreshButton() {
  const { isPulling } = useSyncStatus();
  return (
    <IconButton
      label={messages.top.refresh}
      className={classes.roomy ?? ''}
      aria-busy={isPulling}
      onClick={refresh}
    >
      <IconRefresh size={18} stroke={1.6} className={isPulling ? classes.spin : ''} />
    </IconButton>
  );
}

/** Not where the page would be refused. */
function NotificationsLink({ viewer }: { viewer: Viewer }) {
  const screen = screenAt(NOTIFICATIONS);
  if (screen === undefined || screenAccess(screen, viewer) !== 'open') return null;
  return (
    <AppLink
      href={screen.path}
      aria-label={screen.title}
      title={screen.title}
      className={`${buttonClass('quiet', 'icon')} ${classes.roomy}`}
    >
      <IconBell size={19} stroke={1.6} aria-hidden />
    </AppLink>
  );
}

/** What is new for the user, where incidents are part of it. */
function InboxLink({ viewer, userId }: { viewer: Viewer; userId: string }) {
  const screen = screenAt(links.inbox());
  const isCalm = useAfterFirstLoad();
  const mayApprove = may(viewer.roles, 'playbooks', 'write');
  if (screen === undefined || screenAccess(screen, viewer) !== 'open') return null;
  return (
    <Suspense fallback={null}>
      <InboxBell key={userId} userId={userId} countsApprovals={isCalm && mayApprove} />
    </Suspense>
  );
}

/** The way to what waits here, while something does. */
function OutboxButton() {
  const counts = useOutboxCounts();
  if (counts === null) return null;
  const text = messages.outbox.badge(outboxText(counts));
  return (
    <AppLink
      href={links.outbox()}
      aria-label={text}
      title={text}
      className={`${buttonClass('quiet', 'icon')} ${classes.outboxLink}`}
      data-frame="none"
    >
      <IconSend size={18} stroke={1.6} aria-hidden />
      <OutboxBadge />
    </AppLink>
  );
}

/** Hosted mode: where the user works, and the way elsewhere (spec 1 §1). */
function OrganizationCorner({ name }: { name: string }) {
  const device = useDevice();
  const counts = useOutboxCounts();
  return (
    <OrganizationSwitcher
      name={name}
      unsentCount={counts === null ? 0 : counts.kept + counts.sending + counts.refused + counts.prepared}
      onSwitched={() => device.navigate(links.organizationSwitched())}
      onManage={() => device.navigate(links.organizations())}
    />
  );
}

function useSidebar() {
  const isNarrow = useMedia(NARROW);
  const [isCollapsed, setIsCollapsed] = useState(() => readSetting(COLLAPSED_KEY) === 'true');
  const toggle = () => {
    writeSetting(COLLAPSED_KEY, String(!isCollapsed));
    setIsCollapsed(!isCollapsed);
  };
  return { isNarrow, isCollapsed: isCollapsed || isNarrow, toggle };
}

/** Around every page of the app, for who is signed in. */
export function Shell({ user, viewer, path, onSignOut, children }: ShellProps) {
  const sidebar = useSidebar();
  const isAfterFirstLoad = useAfterFirstLoad();
  const [isNavOpen, setIsNavOpen] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [isKubeconfigShown, setIsKubeconfigShown] = useState(false);
  const [areKeysShown, setAreKeysShown] = useState(false);
  const showKeys = useCallback(() => setAreKeysShown(true), []);
  useShortcut('?', showKeys);
  useEffect(() => {
    if (isAfterFirstLoad) preloadPanel();
  }, [isAfterFirstLoad]);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href={`#${CONTENT_ID}`}>
        {messages.skipToContent}
      </a>
      <button type="button" className={classes.skip} onClick={jumpToList}>
        {messages.skipToList}
      </button>
      <header className={classes.top}>
        {sidebar.isNarrow && (
          <IconButton label={messages.nav.open} onClick={() => setIsNavOpen(true)}>
            <IconMenu2 size={20} stroke={1.6} />
          </IconButton>
        )}
        <AppLink href="/" className={classes.brand} aria-label={messages.product}>
          <ProductMark />
          <span className={classes.brandName}>{messages.product}</span>
        </AppLink>
        <AfterFirstLoad>
          <DemoTag />
        </AfterFirstLoad>
        {user.organization !== undefined && (
          <Suspense fallback={null}>
            <OrganizationCorner name={user.organization.name} />
          </Suspense>
        )}
        <ConnectivityChip />
        <OutboxButton />
        <AfterFirstLoad>
          <InboxLink viewer={viewer} userId={user.id} />
        </AfterFirstLoad>
        <RefreshButton />
        <NotificationsLink viewer={viewer} />
        <DocsMenu onShortcuts={showKeys} />
        {tabletHere() !== null && (
          <Suspense fallback={null}>
            <TabletMenu storeName={user.storeName} />
          </Suspense>
        )}
        <ProfileMenu
          user={user}
          isChecksOnly={viewer.isChecksOnly}
          hasClusterProxy={viewer.hasClusterProxy ?? false}
          onKubeconfig={() => setIsKubeconfigShown(true)}
          onSignOut={() => setIsLeaving(true)}
        />
      </header>
      <Sidebar
        viewer={viewer}
        path={path}
        isCollapsed={sidebar.isCollapsed}
        onToggle={sidebar.isNarrow ? null : sidebar.toggle}
      />
      <main id={CONTENT_ID} className={classes.main} tabIndex={-1}>
        <div className={classes.contents} data-frame="none">
          <NotCurrent />
        </div>
        <AfterFirstLoad>
          <CatchUp />
        </AfterFirstLoad>
        <div className={classes.content}>{children}</div>
      </main>
      {isLeaving && (
        <Suspense fallback={null}>
          <SignOutSheet onSignOut={onSignOut} onClose={() => setIsLeaving(false)} />
        </Suspense>
      )}
      {isNavOpen && (
        <Sheet label={messages.product} side="left" hasTitle onClose={() => setIsNavOpen(false)}>
          <NavEntries viewer={viewer} path={path} isRail={false} onFollow={() => setIsNavOpen(false)} />
        </Sheet>
      )}
      {isKubeconfigShown && (
        <Suspense fallback={null}>
          <KubeconfigModal onClose={() => setIsKubeconfigShown(false)} />
        </Suspense>
      )}
      {areKeysShown && (
        <Sheet label={messages.top.shortcuts} side="center" hasTitle onClose={() => setAreKeysShown(false)}>
          <Suspense fallback={null}>
            <Shortcuts />
          </Suspense>
        </Sheet>
      )}
      <Suspense fallback={null}>{isAfterFirstLoad && <LeaveGuard />}</Suspense>
      <UpdatePrompt />
    </div>
  );
}
