/** The pages of playbooks and their runs; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { playbooksSearch, runSearch, runsSearch } from '../../features/playbooks/search-schemas.ts';
import { searchOptions } from '../../ui/search/search-params.ts';
import { loadsPages } from './loads-pages.ts';
import { shellRoute, useReader } from './base-routes.tsx';
import { menuPages } from './menu-pages.ts';
import { useIdlePreload } from './use-idle-preload.ts';

const RunsPage = lazyRouteComponent(() => import('../../features/playbooks/runs/RunsPage.tsx'), 'RunsPage');
const RunPage = lazyRouteComponent(() => import('../../features/playbooks/run/RunPage.tsx'), 'RunPage');
const PlaybookPage = lazyRouteComponent(
  () => import('../../features/playbooks/page/PlaybookPage.tsx'),
  'PlaybookPage',
);

async function preloadPages(): Promise<void> {
  for (const page of [PlaybookPage, RunsPage, RunPage]) await page.preload?.();
}

const PlaybooksPage = lazyRouteComponent(menuPages['/playbooks'], 'PlaybooksPage');
const playbooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks',
  ...searchOptions(playbooksSearch),
  component: loadsPages([PlaybooksPage], function PlaybooksRoute() {
    useIdlePreload(preloadPages);
    return <PlaybooksPage reader={useReader()} />;
  }),
});

const runsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks/runs',
  ...searchOptions(runsSearch),
  component: loadsPages([RunsPage], function RunsRoute() {
    useIdlePreload(preloadPages);
    return <RunsPage reader={useReader()} />;
  }),
});

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks/runs/$runId',
  ...searchOptions(runSearch),
  component: loadsPages([RunPage], function RunRoute() {
    const { runId } = runRoute.useParams();
    return <RunPage key={runId} runId={runId} reader={useReader()} />;
  }),
});

const playbookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks/$playbookId',
  component: loadsPages([PlaybookPage], function PlaybookRoute() {
    const { playbookId } = playbookRoute.useParams();
    return <PlaybookPage key={playbookId} playbookId={playbookId} />;
  }),
});

export const playbookRoutes = [playbooksRoute, runsRoute, runRoute, playbookRoute] as const;
