/** An item of the catalog with its tabs, and the changes of all items (spec 2 §2). */
import { createRoute, lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ItemTab } from '../../features/catalog/item/ItemTabs.tsx';
import {
  parseRelations,
  writeRelations,
  type RelationsSearch,
} from '../../features/catalog/relationships/url-state.ts';
import type { Search } from '../../ui/tables/use-table-state.ts';
import { shellRoute } from './base-routes.tsx';

/** Only texts; what they mean is read by the page. */
function parseTexts(search: Record<string, unknown>): Search {
  return Object.fromEntries(
    Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

const ChangesPage = lazyRouteComponent(
  () => import('../../features/catalog/changes/ChangesPage.tsx'),
  'ChangesPage',
);
const changesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/changes',
  validateSearch: parseTexts,
  component: function ChangesRoute() {
    const navigate = changesRoute.useNavigate();
    const handleSearch = useCallback(
      (next: Search, isReplacing: boolean) => void navigate({ search: next, replace: isReplacing }),
      [navigate],
    );
    return <ChangesPage search={changesRoute.useSearch()} onSearch={handleSearch} />;
  },
});

const TABS: Readonly<Record<string, ItemTab>> = {
  '/catalog/$configId/changes': 'changes',
  '/catalog/$configId/insights': 'insights',
  '/catalog/$configId/relationships': 'relationships',
  '/catalog/$configId/playbooks': 'playbooks',
  '/catalog/$configId/checks': 'checks',
};

const ItemPage = lazyRouteComponent(() => import('../../features/catalog/item/ItemPage.tsx'), 'ItemPage');
const itemRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/$configId',
  component: function ItemRoute() {
    const path = useRouterState({ select: (state) => state.matches.at(-1)?.fullPath ?? '' });
    const { configId } = itemRoute.useParams();
    return (
      <ItemPage key={configId} configId={configId} tab={TABS[path] ?? 'config'}>
        <Outlet />
      </ItemPage>
    );
  },
});

const ConfigTab = lazyRouteComponent(() => import('../../features/catalog/item/ConfigTab.tsx'), 'ConfigTab');
const configTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/',
  validateSearch: parseTexts,
  component: function ConfigTabRoute() {
    const navigate = configTabRoute.useNavigate();
    const handleSearch = useCallback(
      (next: Search, isReplacing: boolean) => void navigate({ search: next, replace: isReplacing }),
      [navigate],
    );
    return <ConfigTab search={configTabRoute.useSearch()} onSearch={handleSearch} />;
  },
});

const ChangesTab = lazyRouteComponent(
  () => import('../../features/catalog/item/ChangesTab.tsx'),
  'ChangesTab',
);
const changesTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/changes',
  validateSearch: parseTexts,
  component: function ChangesTabRoute() {
    const navigate = changesTabRoute.useNavigate();
    const handleSearch = useCallback(
      (next: Search, isReplacing: boolean) => void navigate({ search: next, replace: isReplacing }),
      [navigate],
    );
    return <ChangesTab search={changesTabRoute.useSearch()} onSearch={handleSearch} />;
  },
});

const InsightsList = lazyRouteComponent(
  () => import('../../features/catalog/insights/InsightsList.tsx'),
  'InsightsList',
);
const insightsTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/insights',
  validateSearch: parseTexts,
  component: function InsightsTabRoute() {
    const navigate = insightsTabRoute.useNavigate();
    const handleSearch = useCallback(
      (next: Search, isReplacing: boolean) => void navigate({ search: next, replace: isReplacing }),
      [navigate],
    );
    const { configId } = itemRoute.useParams();
    return <InsightsList configId={configId} search={insightsTabRoute.useSearch()} onSearch={handleSearch} />;
  },
});

const RelationshipsTab = lazyRouteComponent(
  () => import('../../features/catalog/relationships/RelationshipsTab.tsx'),
  'RelationshipsTab',
);
const relationshipsTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/relationships',
  validateSearch: (search: Record<string, unknown>) => writeRelations(parseRelations(search)),
  component: function RelationshipsTabRoute() {
    const navigate = relationshipsTabRoute.useNavigate();
    const handleSearch = useCallback(
      (next: RelationsSearch) => void navigate({ search: next, replace: true }),
      [navigate],
    );
    const { configId } = itemRoute.useParams();
    const search = relationshipsTabRoute.useSearch();
    return <RelationshipsTab configId={configId} search={search} onSearch={handleSearch} />;
  },
});

const playbooksTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/playbooks',
  component: lazyRouteComponent(() => import('../../features/catalog/item/PlaybooksTab.tsx'), 'PlaybooksTab'),
});

const checksTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/checks',
  component: lazyRouteComponent(() => import('../../features/catalog/item/ChecksTab.tsx'), 'ChecksTab'),
});

export const catalogItemRoutes = [
  changesRoute,
  itemRoute.addChildren([
    configTabRoute,
    changesTabRoute,
    insightsTabRoute,
    relationshipsTabRoute,
    playbooksTabRoute,
    checksTabRoute,
  ]),
] as const;
