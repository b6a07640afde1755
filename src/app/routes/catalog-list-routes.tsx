/** The lists of the catalog; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { useCallback } from 'react';
import { shellRoute } from './base-routes.tsx';
import type { CatalogSearch } from '../../features/catalog/list/url-state.ts';

const MAX_TEXT = 4000;

/** The texts of the query; each page reads its own and ignores the rest. */
function parseTexts(search: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value.slice(0, MAX_TEXT)]] : [],
    ),
  );
}

const CatalogPage = lazyRouteComponent(
  () => import('../../features/catalog/list/CatalogPage.tsx'),
  'CatalogPage',
);
const catalogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog',
  // Read by the page itself: what its links may hold is its own, and comes with it.
  validateSearch: parseTexts,
  component: function CatalogRoute() {
    const navigate = catalogRoute.useNavigate();
    const handleSearch = useCallback(
      (next: CatalogSearch, replace: boolean) => void navigate({ search: { ...next }, replace }),
      [navigate],
    );
    return <CatalogPage search={catalogRoute.useSearch()} onSearch={handleSearch} />;
  },
});

export const catalogListRoutes = [catalogRoute] as const;
