/** An item of the catalog with its tabs, and the changes of all items (spec 2 §2). */
import { createRoute, lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router';
import type { ItemTab } from '../../features/catalog/item/ItemTabs.tsx';
import {
  changesSearch,
  configSearch,
  insightsSearch,
  relationsSearch,
} from '../../features/catalog/search-schemas.ts';
import { searchOptions } from '../../ui/search/search-params.ts';
import { loadsPages } from './loads-pages.ts';
import { shellRoute } from './base-routes.tsx';
import { useIdlePreload } from './use-idle-preload.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const changesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/changes',
  ...searchOptions(changesSearch),
  component: lazyRouteComponent(
    () => import('../../features/catalog/changes/ChangesPage.tsx'),
    'ChangesPage',
  ),
});

const TABS = lookupTable<ItemTab>({
  '/catalog/$configId/changes': 'changes',
  '/catalog/$configId/insights': 'insights',
  '/catalog/$configId/relationships': 'relationships',
  '/catalog/$configId/playbooks': 'playbooks',
  '/catalog/$configId/checks': 'checks',
});

/** The tabs and the graph. */
async function preloadTabs(): Promise<void> {
  for (const part of [RelationshipsTab, InsightsList, ChangesTab, PlaybooksTab, ChecksTab])
    await part.preload?.();
  await import('../../features/catalog/relationships/RelationsGraph.tsx');
}

const ItemPage = lazyRouteComponent(() => import('../../features/catalog/item/ItemPage.tsx'), 'ItemPage');
const itemRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalog/$configId',
  component: loadsPages([ItemPage], function ItemRoute() {
    const path = useRouterState({ select: (state) => state.matches.at(-1)?.fullPath ?? '' });
    const { configId } = itemRoute.useParams();
    useIdlePreload(preloadTabs);
    return (
      <ItemPage key={configId} configId={configId} tab={TABS[path] ?? 'config'}>
        <Outlet />
      </ItemPage>
    );
  }),
});

const configTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/',
  ...searchOptions(configSearch),
  component: lazyRouteComponent(() => import('../../features/catalog/item/ConfigTab.tsx'), 'ConfigTab'),
});

const ChangesTab = lazyRouteComponent(
  () => import('../../features/catalog/item/ChangesTab.tsx'),
  'ChangesTab',
);
const changesTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/changes',
  ...searchOptions(changesSearch),
  component: ChangesTab,
});

const InsightsList = lazyRouteComponent(
  () => import('../../features/catalog/insights/InsightsList.tsx'),
  'InsightsList',
);
const insightsTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/insights',
  ...searchOptions(insightsSearch),
  component: loadsPages([InsightsList], function InsightsTabRoute() {
    return <InsightsList configId={itemRoute.useParams().configId} />;
  }),
});

const RelationshipsTab = lazyRouteComponent(
  () => import('../../features/catalog/relationships/RelationshipsTab.tsx'),
  'RelationshipsTab',
);
const relationshipsTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/relationships',
  ...searchOptions(relationsSearch),
  component: loadsPages([RelationshipsTab], function RelationshipsTabRoute() {
    return <RelationshipsTab configId={itemRoute.useParams().configId} />;
  }),
});

const PlaybooksTab = lazyRouteComponent(
  () => import('../../features/catalog/item/PlaybooksTab.tsx'),
  'PlaybooksTab',
);
const playbooksTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/playbooks',
  component: PlaybooksTab,
});

const ChecksTab = lazyRouteComponent(() => import('../../features/catalog/item/ChecksTab.tsx'), 'ChecksTab');
const checksTabRoute = createRoute({
  getParentRoute: () => itemRoute,
  path: '/checks',
  component: ChecksTab,
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
