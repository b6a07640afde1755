/** `/wall` stands outside of the shell and of the gate: it has its own way to a session. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { wallSearch } from '../../features/wall/search-schemas.ts';
import { searchOptions } from '../../ui/search/search-params.ts';
import { lazyPart } from '../../ui/page/lazy-part.tsx';
import { rootRoute } from './base-routes.tsx';

const WallCrashed = lazyPart(async () => (await import('../wall/WallCrashed.tsx')).WallCrashed);

export const wallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/wall',
  ...searchOptions(wallSearch),
  component: lazyRouteComponent(() => import('../wall/WallRoute.tsx'), 'WallRoute'),
  errorComponent: WallCrashed,
});
