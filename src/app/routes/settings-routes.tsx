/** The routes below /settings; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './base-routes.tsx';

const CanaryPage = lazyRouteComponent(() => import('../../features/settings/CanaryPage.tsx'), 'CanaryPage');
const canaryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/canaries/$canaryId',
  component: function CanaryRoute() {
    return <CanaryPage canaryId={canaryRoute.useParams().canaryId} />;
  },
});

const storageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/storage',
  component: lazyRouteComponent(() => import('../../features/storage/StoragePage.tsx'), 'StoragePage'),
});

export const settingsRoutes = [canaryRoute, storageRoute] as const;
