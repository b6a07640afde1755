/** The routes outside of the shell: signing in, what went wrong with it, and looking at the session again. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { parseIdentitySearch } from '../../domain/identity/identity-search.ts';
import { safeReturnTo } from '../../domain/links.ts';
import { lazyPart, Nothing } from '../../ui/page/lazy-part.tsx';
import { searchOptions, searchSchema, text } from '../../ui/search/search-params.ts';
import { leaveHosted } from '../gate/leave-hosted.ts';
import { ErrorCodeScreen } from '../gate/screens.tsx';
import { rootRoute, useReplace } from './base-routes.tsx';
import { loadsPages } from './loads-pages.ts';

const checkerSearch = searchSchema({ return_to: text });
const errorSearch = searchSchema({ error_code: text, id: text });

const IdentityRoute = lazyRouteComponent(() => import('../identity/IdentityRoute.tsx'), 'IdentityRoute');
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: parseIdentitySearch,
  component: loadsPages([IdentityRoute], () => (
    <IdentityRoute kind="login" search={loginRoute.useSearch()} />
  )),
});
const registrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/registration',
  validateSearch: parseIdentitySearch,
  component: loadsPages([IdentityRoute], () => (
    <IdentityRoute kind="registration" search={registrationRoute.useSearch()} />
  )),
});
const recoveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/recovery',
  validateSearch: parseIdentitySearch,
  component: loadsPages([IdentityRoute], () => (
    <IdentityRoute kind="recovery" search={recoveryRoute.useSearch()} />
  )),
});
const verificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verification',
  validateSearch: parseIdentitySearch,
  component: loadsPages([IdentityRoute], () => (
    <IdentityRoute kind="verification" search={verificationRoute.useSearch()} />
  )),
});

const AuthStateChecker = lazyRouteComponent(() => import('../gate/AuthStateChecker.tsx'), 'AuthStateChecker');
const checkerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth-state-checker',
  ...searchOptions(checkerSearch),
  component: loadsPages([AuthStateChecker], function CheckerRoute() {
    const returnTo = safeReturnTo(checkerRoute.useSearch().return_to);
    return <AuthStateChecker returnTo={returnTo} onGo={useReplace()} />;
  }),
});

const FlowErrorScreen = lazyRouteComponent(() => import('../gate/FlowErrorScreen.tsx'), 'FlowErrorScreen');
const errorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error',
  ...searchOptions(errorSearch),
  component: loadsPages([FlowErrorScreen], function ErrorRoute() {
    const { error_code: code, id } = errorRoute.useSearch();
    const replace = useReplace();
    if (code === undefined && id !== undefined) return <FlowErrorScreen id={id} onGo={replace} />;
    return (
      <ErrorCodeScreen
        code={code ?? ''}
        actions={
          <Suspense fallback={null}>
            <HostedEscape onGo={replace} />
          </Suspense>
        }
      />
    );
  }),
});

const HostedEscape = lazyPart(async () => (await import('../gate/HostedEscape.tsx')).HostedEscape, Nothing);

const flowErrorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error/$id',
  component: loadsPages([FlowErrorScreen], function FlowErrorRoute() {
    return <FlowErrorScreen id={flowErrorRoute.useParams().id} onGo={useReplace()} />;
  }),
});

const OrganizationGate = lazyRouteComponent(() => import('../gate/OrganizationGate.tsx'), 'OrganizationGate');
const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations',
  component: loadsPages([OrganizationGate], function OrganizationsRoute() {
    const replace = useReplace();
    return <OrganizationGate onGo={replace} onSignOut={() => void leaveHosted()} />;
  }),
});

const OrganizationSwitched = lazyRouteComponent(
  () => import('../gate/OrganizationGate.tsx'),
  'OrganizationSwitched',
);
const switchedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/orgs-switched',
  component: loadsPages([OrganizationSwitched], function SwitchedRoute() {
    return <OrganizationSwitched onGo={useReplace()} />;
  }),
});

export const entryRoutes = [
  loginRoute,
  registrationRoute,
  recoveryRoute,
  verificationRoute,
  checkerRoute,
  errorRoute,
  flowErrorRoute,
  organizationsRoute,
  switchedRoute,
] as const;
