/** The lists of the catalog; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { useCallback } from 'react';
import { may } from '../../domain/access/matrix.ts';
import type { CatalogSearch } from '../../features/catalog/list/url-state.ts';
import type { Search } from '../../ui/tables/use-table-state.ts';
import { shellRoute, useReader } from './base-routes.tsx';
import { menuPages } from './menu-pages.ts';

const MAX_TEXT = 4000;

/** The texts of the query; each page reads its own, which comes with it, and ignores the rest. */
function parseTexts(search: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value.slice(0, MAX_TEXT)]] : [],
    ),
  );
}

const CatalogPage = lazyRouteComponent(menuPages['/catalog'], 'CatalogPage');
const catalogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog',
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

const InsightsPage = lazyRouteComponent(
  () => import('../../features/catalog/insights/InsightsPage.tsx'),
  'InsightsPage',
);
const insightsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/insights',
  validateSearch: parseTexts,
  component: function InsightsRoute() {
    const navigate = insightsRoute.useNavigate();
    const handleSearch = useCallback(
      (next: Search, replace: boolean) => void navigate({ search: { ...next }, replace }),
      [navigate],
    );
    return <InsightsPage search={insightsRoute.useSearch()} onSearch={handleSearch} />;
  },
});

const ScrapersPage = lazyRouteComponent(() => import('../catalog/ScrapersPage.tsx'), 'ScrapersPage');
const scrapersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/scrapers',
  validateSearch: parseTexts,
  component: function ScrapersRoute() {
    const navigate = scrapersRoute.useNavigate();
    const handleSearch = useCallback(
      (next: Search, replace: boolean) => void navigate({ search: { ...next }, replace }),
      [navigate],
    );
    return <ScrapersPage search={scrapersRoute.useSearch()} onSearch={handleSearch} reader={useReader()} />;
  },
});

const ScraperPage = lazyRouteComponent(() => import('../catalog/ScraperPage.tsx'), 'ScraperPage');
const scraperRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/scrapers/$scraperId',
  validateSearch: parseTexts,
  component: function ScraperRoute() {
    const { scraperId } = scraperRoute.useParams();
    const navigate = scraperRoute.useNavigate();
    const reader = useReader();
    const handleSearch = useCallback(
      (next: Search, replace: boolean) => void navigate({ search: { ...next }, replace }),
      [navigate],
    );
    return (
      <ScraperPage
        key={scraperId}
        scraperId={scraperId}
        search={scraperRoute.useSearch()}
        onSearch={handleSearch}
        reader={reader}
        mayRun={may(reader.roles, 'config_scrapers', 'write')}
      />
    );
  },
});

export const catalogListRoutes = [catalogRoute, insightsRoute, scrapersRoute, scraperRoute] as const;
