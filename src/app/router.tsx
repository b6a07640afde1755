/** Every address of the app, what it needs, and which part of the code it loads. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
  useRouterState,
} from '@tanstack/react-router';
import { createContext, useCallback, useContext, useEffect } from 'react';
import type { SessionUser } from '../contract/worker.ts';
import { useSession } from '../data/use-session.ts';
import { may, mayRunCheck } from '../domain/access/matrix.ts';
import { safeReturnTo } from '../domain/links.ts';
import { HealthPage } from '../features/health/HealthPage.tsx';
import { parseHealthSearch, writeHealthSearch } from '../features/health/url-state.ts';
import type { ChangeSearch } from '../features/health/use-health-state.ts';
import {
  parseListSearch,
  parsePageSearch,
  writeListSearch,
  writePageSearch,
  type ListSearch,
  type PageSearch,
} from '../features/incidents/url-state.ts';
import { Gate } from './gate/Gate.tsx';
import { CrashedScreen, ErrorCodeScreen, NotFoundScreen, UnauthorizedScreen } from './gate/screens.tsx';
import { Shell } from './shell/Shell.tsx';

type Texts = Record<string, string>;
const parseTexts = (search: Record<string, unknown>): Texts =>
  Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const UserContext = createContext<SessionUser | null>(null);

function useRoles(): readonly string[] {
  return useContext(UserContext)?.roles ?? [];
}

function useReader(): SessionUser {
  const user = useContext(UserContext);
  if (user === null) throw new Error('Only shown to who is signed in');
  return user;
}

/** Goes somewhere without leaving the present place in the history. */
function useReplace(): (path: string) => void {
  const router = useRouter();
  return useCallback((path) => router.history.replace(path), [router]);
}

function ShellLayout() {
  const { href, pathname } = useRouterState({ select: (state) => state.location });
  const replace = useReplace();
  return (
    <Gate href={href} onGo={replace}>
      {(user, onSignOut) => (
        <UserContext value={user}>
          <Shell user={user} path={pathname} onSignOut={onSignOut}>
            <Outlet />
          </Shell>
        </UserContext>
      )}
    </Gate>
  );
}

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen });
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: ShellLayout });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/health', replace: true, throw: true });
  },
});

function HealthRoute() {
  const search = healthRoute.useSearch();
  const navigate = healthRoute.useNavigate();
  const roles = useRoles();
  const handleSearch = useCallback<ChangeSearch>(
    (change, isReplacing) => void navigate({ search: change, replace: isReplacing }),
    [navigate],
  );
  if (!may(roles, 'canaries', 'read')) return <UnauthorizedScreen />;
  return <HealthPage search={search} onSearch={handleSearch} mayRun={mayRunCheck(roles)} />;
}

const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health',
  validateSearch: (search: Record<string, unknown>) => writeHealthSearch(parseHealthSearch(search)),
  component: HealthRoute,
});

const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  component: lazyRouteComponent(
    () => import('../features/notifications/NotificationsPage.tsx'),
    'NotificationsPage',
  ),
});

const helpRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/help',
  component: lazyRouteComponent(() => import('../features/help/HelpPage.tsx'), 'HelpPage'),
});

const CanaryPage = lazyRouteComponent(() => import('../features/settings/CanaryPage.tsx'), 'CanaryPage');
const canaryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/canaries/$canaryId',
  component: function CanaryRoute() {
    return <CanaryPage canaryId={canaryRoute.useParams().canaryId} />;
  },
});

const ConfigPage = lazyRouteComponent(() => import('../features/catalog/ConfigPage.tsx'), 'ConfigPage');
const configRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/$configId',
  component: function ConfigRoute() {
    return <ConfigPage configId={configRoute.useParams().configId} />;
  },
});

const ComponentPage = lazyRouteComponent(
  () => import('../features/topology/ComponentPage.tsx'),
  'ComponentPage',
);
const componentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology/$componentId',
  component: function ComponentRoute() {
    return <ComponentPage componentId={componentRoute.useParams().componentId} />;
  },
});

const IncidentsPage = lazyRouteComponent(
  () => import('../features/incidents/IncidentsPage.tsx'),
  'IncidentsPage',
);
function IncidentsRoute() {
  const search = incidentsRoute.useSearch();
  const navigate = incidentsRoute.useNavigate();
  const reader = useReader();
  const handleSearch = useCallback(
    (next: ListSearch, isReplacing: boolean) => void navigate({ search: next, replace: isReplacing }),
    [navigate],
  );
  if (!may(reader.roles, 'incident', 'read')) return <UnauthorizedScreen />;
  return <IncidentsPage search={search} onSearch={handleSearch} reader={reader} />;
}

const incidentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents',
  validateSearch: (search: Record<string, unknown>) => writeListSearch(parseListSearch(search)),
  component: IncidentsRoute,
});

const IncidentPage = lazyRouteComponent(
  () => import('../features/incidents/IncidentPage.tsx'),
  'IncidentPage',
);
function IncidentRoute() {
  const { incidentId } = incidentRoute.useParams();
  const search = incidentRoute.useSearch();
  const navigate = incidentRoute.useNavigate();
  const reader = useReader();
  const handleSearch = useCallback((next: PageSearch) => void navigate({ search: next }), [navigate]);
  if (!may(reader.roles, 'incident', 'read')) return <UnauthorizedScreen />;
  return <IncidentPage incidentId={incidentId} search={search} onSearch={handleSearch} reader={reader} />;
}

const incidentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents/$incidentId',
  validateSearch: (search: Record<string, unknown>) => writePageSearch(parsePageSearch(search)),
  component: IncidentRoute,
});

const outboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/outbox',
  component: lazyRouteComponent(() => import('../features/outbox/OutboxPage.tsx'), 'OutboxPage'),
});

const storageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/storage',
  component: lazyRouteComponent(() => import('../features/storage/StoragePage.tsx'), 'StoragePage'),
});

const UsersPage = lazyRouteComponent(() => import('../features/users/UsersPage.tsx'), 'UsersPage');
const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/users',
  validateSearch: parseTexts,
  component: function UsersRoute() {
    const navigate = usersRoute.useNavigate();
    const handleSearch = useCallback(
      (search: Texts, replace: boolean) => void navigate({ search, replace }),
      [navigate],
    );
    return <UsersPage search={usersRoute.useSearch()} onSearch={handleSearch} roles={useRoles()} />;
  },
});

const LoginPage = lazyRouteComponent(() => import('../features/identity/LoginPage.tsx'), 'LoginPage');

function GoTo({ path }: { path: string }) {
  const replace = useReplace();
  useEffect(() => replace(path), [replace, path]);
  return null;
}

/** The sign-in page for who is signed out; everyone else is sent on, or told why not. */
function LoginRoute() {
  const session = useSession();
  const replace = useReplace();
  const { return_to: returnTo } = loginRoute.useSearch();
  if (session.kind === 'signed-out') return <LoginPage />;
  return (
    <Gate href={safeReturnTo(returnTo)} onGo={replace}>
      {() => <GoTo path={safeReturnTo(returnTo)} />}
    </Gate>
  );
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: ({ return_to: returnTo }: Record<string, unknown>) =>
    typeof returnTo === 'string' ? { return_to: returnTo } : {},
  component: LoginRoute,
});

const errorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error',
  validateSearch: ({ error_code: code }: Record<string, unknown>) =>
    typeof code === 'string' ? { error_code: code } : {},
  component: function ErrorRoute() {
    return <ErrorCodeScreen code={errorRoute.useSearch().error_code ?? ''} />;
  },
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  loginRoute,
  errorRoute,
  shellRoute.addChildren([
    healthRoute,
    notificationsRoute,
    helpRoute,
    canaryRoute,
    configRoute,
    componentRoute,
    incidentsRoute,
    incidentRoute,
    outboxRoute,
    storageRoute,
    usersRoute,
  ]),
]);

/** Plain texts in the query string, as the spec's links have them; each route parses its own. */
export const router = createRouter({
  routeTree,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: ({ reset }) => <CrashedScreen onRetry={reset} />,
  defaultNotFoundComponent: NotFoundScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
