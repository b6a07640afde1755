/** The root of all routes and the shell around most: the gate, then the guard of the screen, then the page. */
import { createRootRoute, createRoute, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useMemo } from 'react';
import type { LiveQuestion } from '../../contract/live-query.ts';
import type { SessionUser } from '../../contract/session-user.ts';
import { usePendingThings } from '../../data/commands/use-pending-things.ts';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { useViewer } from '../../data/session/use-viewer.ts';
import { may } from '../../domain/access/matrix.ts';
import { mayOpen } from '../../domain/access/may-open.ts';
import {
  homePath,
  screenAccess,
  menuScreens,
  screenAt,
  type Screen,
  type Viewer,
} from '../../domain/access/screens.ts';
import { links } from '../../domain/links.ts';
import { AcknowledgeProvider, type AcknowledgeApi } from '../../ui/page/Acknowledge.tsx';
import { ThingHealthProvider, type ThingHealthApi } from '../../ui/page/ThingHealth.tsx';
import { BulkProvider, type BulkApi } from '../../ui/page/Bulk.tsx';
import { bulkVerbs } from '../../domain/bulk/bulk-verbs.ts';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { Gate, type SignOut } from '../gate/Gate.tsx';
import { DisabledScreen, NotFoundPage, NotFoundScreen, UnauthorizedScreen } from '../gate/screens.tsx';
import { LogsDoor } from '../../ui/actions/ViewLogs.tsx';
import { messages } from '../messages.ts';
import { AttachEvidenceProvider } from '../shell/doors/AttachEvidenceProvider.tsx';
import { BulkBar, ChangeableAcknowledge, HealthOfThing, ReadAcknowledge } from '../shell/lazy-parts.tsx';
import { PlaybooksProvider } from '../shell/doors/PlaybooksProvider.tsx';
import { SilencesProvider } from '../shell/doors/SilencesProvider.tsx';
import { Shell } from '../shell/Shell.tsx';
import { useFocusAfterNavigation } from './use-focus-after-navigation.ts';

const UserContext = createContext<SessionUser | null>(null);

/** Who is signed in; for pages within the shell. */
export function useReader(): SessionUser {
  const user = useContext(UserContext);
  if (user === null) throw new Error('Only shown to who is signed in');
  return user;
}

/** Goes somewhere without leaving the present place in the history. */
export function useReplace(): (path: string) => void {
  const router = useRouter();
  return useCallback((path) => router.history.replace(path), [router]);
}

/** Goes there as soon as it is shown. */
export function GoTo({ path }: { path: string }) {
  const replace = useReplace();
  useEffect(() => replace(path), [replace, path]);
  // The page that it leads to may still have to be fetched.
  return <SkeletonRows text={messages.gate.starting} />;
}

function WaitForFlags() {
  return <SkeletonRows text={messages.gate.flags} />;
}

function Guarded({ screen, viewer, children }: { screen: Screen; viewer: Viewer; children: ReactNode }) {
  switch (screenAccess(screen, viewer)) {
    case 'open':
      return children;
    case 'waiting':
      return <WaitForFlags />;
    case 'absent':
      return <NotFoundScreen />;
    case 'disabled':
      return <DisabledScreen title={screen.title} />;
    case 'forbidden':
      return <UnauthorizedScreen />;
  }
}

function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? messages.product : `${title} · ${messages.product}`;
  }, [title]);
}

/** The page of the address, if this user may see it. */
function GuardedPage({ viewer }: { viewer: Viewer }) {
  const screen = screenAt(useRouterState({ select: (state) => state.matches.at(-1)?.fullPath ?? '' }));
  usePageTitle(screen?.title);
  if (screen === undefined) return <Outlet />;
  return (
    <Guarded screen={screen} viewer={viewer}>
      <Outlet />
    </Guarded>
  );
}

function bulkFor({ roles }: Viewer): BulkApi {
  return {
    Bar: BulkBar,
    usePending: usePendingThings,
    verbsFor: (kind) => bulkVerbs(kind, roles),
  };
}

const HEALTH_OF_THINGS: ThingHealthApi = { Mark: HealthOfThing };
const NO_ACKNOWLEDGING: AcknowledgeApi = { Control: null };
const ACKNOWLEDGING: AcknowledgeApi = { Control: ChangeableAcknowledge };
const SEEING_WHO_KNOWS: AcknowledgeApi = { Control: ReadAcknowledge };

/** Everybody sees who knows of a thing; a health-only deployment has no notifications. */
function acknowledgeFor({ roles, isChecksOnly }: Viewer): AcknowledgeApi {
  if (isChecksOnly) return NO_ACKNOWLEDGING;
  return may(roles, 'responder', 'write') ? ACKNOWLEDGING : SEEING_WHO_KNOWS;
}

function SignedIn({ user, onSignOut }: { user: SessionUser; onSignOut: SignOut }) {
  const viewer = useViewer(user);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useFocusAfterNavigation();
  const bulk = useMemo(() => bulkFor(viewer), [viewer]);
  return (
    <UserContext value={user}>
      <ThingHealthProvider door={HEALTH_OF_THINGS}>
        <Shell user={user} viewer={viewer} path={path} onSignOut={onSignOut}>
          <AttachEvidenceProvider user={user} viewer={viewer}>
            <PlaybooksProvider viewer={viewer}>
              <AcknowledgeProvider door={acknowledgeFor(viewer)}>
                <SilencesProvider viewer={viewer}>
                  <BulkProvider door={bulk}>
                    <LogsDoor value={mayOpen('/logs', viewer)}>
                      <GuardedPage viewer={viewer} />
                    </LogsDoor>
                  </BulkProvider>
                </SilencesProvider>
              </AcknowledgeProvider>
            </PlaybooksProvider>
          </AttachEvidenceProvider>
        </Shell>
      </ThingHealthProvider>
    </UserContext>
  );
}

function ShellLayout() {
  const href = useRouterState({ select: (state) => state.location.href });
  const replace = useReplace();
  return (
    <Gate href={href} onGo={replace}>
      {(user, onSignOut) => <SignedIn user={user} onSignOut={onSignOut} />}
    </Gate>
  );
}

function StandalonePage({ user }: { user: SessionUser }) {
  return (
    <UserContext value={user}>
      <GuardedPage viewer={useViewer(user)} />
    </UserContext>
  );
}

function StandaloneLayout() {
  const href = useRouterState({ select: (state) => state.location.href });
  const replace = useReplace();
  return (
    <Gate href={href} onGo={replace}>
      {(user) => <StandalonePage user={user} />}
    </Gate>
  );
}

const ANY_COMPONENT: LiveQuestion = {
  collection: 'components',
  where: [],
  search: '',
  sort: [],
  groupBy: null,
  window: { start: 0, end: 1 },
};

/** `/`: to the topology (spec 1 §2) once there is a component, else to the first other screen that this user has. */
function Home() {
  const viewer = useViewer(useReader());
  const { firstLoad } = useSyncStatus();
  const components = useLiveQuery(ANY_COMPONENT);
  if (viewer.properties === null) return <WaitForFlags />;
  const isKnown = components.isLoaded && (components.total > 0 || firstLoad === null);
  if (!isKnown && homePath(viewer, { hasComponents: true }) === links.topology()) return <WaitForFlags />;
  return <GoTo path={homePath(viewer, { hasComponents: components.total > 0 })} />;
}

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: ShellLayout,
});
/** Pages without the shell around them. */
export const standaloneRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'standalone',
  component: StandaloneLayout,
});
/** An address that is none keeps the menu: the way on is in sight. */
export const notFoundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFoundScreen,
});
export const homeRoute = createRoute({ getParentRoute: () => shellRoute, path: '/', component: Home });

const EVENT_QUEUE = '/settings/event-queue-status';

/** `/settings`: to the event queue (spec 2 §2), or the first of its screens for whoever has no such page. */
function SettingsHome() {
  const viewer = useViewer(useReader());
  if (viewer.properties === null) return <WaitForFlags />;
  const screens = menuScreens('settings', viewer);
  const home = screens.find(({ path }) => path === EVENT_QUEUE) ?? screens[0];
  return <GoTo path={home?.path ?? links.profileSettings()} />;
}

export const settingsHomeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: SettingsHome,
});
