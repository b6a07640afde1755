/** The routes outside of the shell: signing in, what went wrong with it, and looking at the session again. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { useSession } from '../../data/use-session.ts';
import { safeReturnTo } from '../../domain/links.ts';
import { Gate } from '../gate/Gate.tsx';
import { ErrorCodeScreen } from '../gate/screens.tsx';
import { GoTo, rootRoute, useReplace } from './base-routes.tsx';

/** The texts of these names, if they are in the query. */
function texts<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

const LoginPage = lazyRouteComponent(() => import('../../features/identity/LoginPage.tsx'), 'LoginPage');

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
  validateSearch: (search: Record<string, unknown>) => texts(search, ['return_to', 'aal']),
  component: LoginRoute,
});

const AuthStateChecker = lazyRouteComponent(() => import('../gate/AuthStateChecker.tsx'), 'AuthStateChecker');
const checkerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth-state-checker',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['return_to']),
  component: function CheckerRoute() {
    const returnTo = safeReturnTo(checkerRoute.useSearch().return_to);
    return <AuthStateChecker returnTo={returnTo} onGo={useReplace()} />;
  },
});

const FlowErrorScreen = lazyRouteComponent(() => import('../gate/FlowErrorScreen.tsx'), 'FlowErrorScreen');
const errorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['error_code', 'id']),
  component: function ErrorRoute() {
    const { error_code: code, id } = errorRoute.useSearch();
    const replace = useReplace();
    if (code === undefined && id !== undefined) return <FlowErrorScreen id={id} onGo={replace} />;
    return <ErrorCodeScreen code={code ?? ''} />;
  },
});

const flowErrorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error/$id',
  component: function FlowErrorRoute() {
    return <FlowErrorScreen id={flowErrorRoute.useParams().id} onGo={useReplace()} />;
  },
});

export const entryRoutes = [loginRoute, checkerRoute, errorRoute, flowErrorRoute] as const;
