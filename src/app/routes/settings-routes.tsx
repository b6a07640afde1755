/** The routes below /settings; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseIdentitySearch } from '../../domain/identity/identity-search.ts';
import { shellRoute } from './base-routes.tsx';
import { loadsPages } from './loads-pages.ts';
import { menuPages } from './menu-pages.ts';

const CanaryPage = lazyRouteComponent(() => import('../../features/settings/CanaryPage.tsx'), 'CanaryPage');
const canaryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/canaries/$canaryId',
  component: loadsPages([CanaryPage], function CanaryRoute() {
    return <CanaryPage canaryId={canaryRoute.useParams().canaryId} />;
  }),
});

const storageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/storage',
  component: lazyRouteComponent(menuPages['/settings/storage'], 'StoragePage'),
});

const ProfileSettingsRoute = lazyRouteComponent(
  () => import('../identity/IdentityRoute.tsx'),
  'ProfileSettingsRoute',
);
const profileSettingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile-settings',
  validateSearch: parseIdentitySearch,
  component: loadsPages([ProfileSettingsRoute], () => (
    <ProfileSettingsRoute search={profileSettingsRoute.useSearch()} />
  )),
});

export const settingsRoutes = [canaryRoute, storageRoute, profileSettingsRoute] as const;
