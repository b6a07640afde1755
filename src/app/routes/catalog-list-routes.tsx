/** The lists of the catalog; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { may } from '../../domain/access/matrix.ts';
import { catalogSearch, insightsSearch } from '../../features/catalog/search-schemas.ts';
import { resourceSearch, resourcesSearch } from '../../features/settings/search-schemas.ts';
import { searchOptions } from '../../ui/search/search-params.ts';
import { loadsPages } from './loads-pages.ts';
import { shellRoute, useReader } from './base-routes.tsx';
import { menuPages } from './menu-pages.ts';

const parent = { getParentRoute: () => shellRoute };

const catalogRoute = createRoute({
  ...parent,
  path: '/catalog',
  ...searchOptions(catalogSearch),
  component: lazyRouteComponent(menuPages['/catalog'], 'CatalogPage'),
});

const insightsRoute = createRoute({
  ...parent,
  path: '/catalog/insights',
  ...searchOptions(insightsSearch),
  component: lazyRouteComponent(
    () => import('../../features/catalog/insights/InsightsPage.tsx'),
    'InsightsPage',
  ),
});

const ScrapersPage = lazyRouteComponent(() => import('../catalog/ScrapersPage.tsx'), 'ScrapersPage');
const scrapersRoute = createRoute({
  ...parent,
  path: '/catalog/scrapers',
  ...searchOptions(resourcesSearch),
  component: loadsPages([ScrapersPage], function ScrapersRoute() {
    return <ScrapersPage reader={useReader()} />;
  }),
});

const ScraperPage = lazyRouteComponent(() => import('../catalog/ScraperPage.tsx'), 'ScraperPage');
const scraperRoute = createRoute({
  ...parent,
  path: '/catalog/scrapers/$scraperId',
  ...searchOptions(resourceSearch),
  component: loadsPages([ScraperPage], function ScraperRoute() {
    const { scraperId } = scraperRoute.useParams();
    const reader = useReader();
    const mayRun = may(reader.roles, 'config_scrapers', 'write');
    return <ScraperPage key={scraperId} scraperId={scraperId} reader={reader} mayRun={mayRun} />;
  }),
});

export const catalogListRoutes = [catalogRoute, insightsRoute, scrapersRoute, scraperRoute] as const;
