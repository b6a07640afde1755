/** Addresses of former versions and of links from outside (spec 1 §2, contract §1.2); the query goes along. */
import { createRoute, redirect } from '@tanstack/react-router';
import { links } from '../../domain/links.ts';
import { rootRoute } from './base-routes.tsx';

/** Where a redirect is asked for. */
export interface At {
  location: { searchStr: string };
  params: { _splat?: string };
}

/** To a path with the rest of the former one behind it, encoded as a path is. */
function goTo(target: string): (at: At) => void {
  return ({ location, params }) => {
    const rest = (params._splat ?? '').split('/').filter(Boolean).map(encodeURIComponent);
    const path = [target, ...rest].join('/');
    redirect({ href: path + location.searchStr, replace: true, throw: true });
  };
}

const parent = { getParentRoute: () => rootRoute };

export const redirectRoutes = [
  createRoute({ ...parent, path: '/configs', beforeLoad: goTo('/catalog') }),
  createRoute({ ...parent, path: '/config/$', beforeLoad: goTo('/catalog') }),
  createRoute({ ...parent, path: '/settings/notifications/$', beforeLoad: goTo('/notifications') }),
  createRoute({ ...parent, path: '/notifications/silence', beforeLoad: goTo('/notifications/silences/add') }),
  // What another app shares (manifest: share_target) starts an incident.
  createRoute({
    ...parent,
    path: '/share',
    beforeLoad: ({ location }) => {
      const shared = location.searchStr.replace(/^\?/, '&');
      redirect({ href: `${links.incidents()}?create=true${shared}`, replace: true, throw: true });
    },
  }),
  createRoute({ ...parent, path: '/agents', beforeLoad: goTo('/settings/agents') }),
  createRoute({
    ...parent,
    path: '/installation/saas/agent',
    beforeLoad: () => {
      redirect({ href: links.agentHelp(), replace: true, throw: true });
    },
  }),
] as const;
