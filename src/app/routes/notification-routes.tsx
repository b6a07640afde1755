/** Notifications: what was sent, by which rules, and what is silenced (spec 2 §2). */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { may } from '../../domain/access/matrix.ts';
import {
  addSilenceSearch,
  historySearch,
  rulesSearch,
  silencesSearch,
} from '../../features/notifications/search-schemas.ts';
import { searchOptions } from '../../ui/search/search-params.ts';
import { shellRoute, useReader } from './base-routes.tsx';
import { loadsPages } from './loads-pages.ts';
import { menuPages } from './menu-pages.ts';
import { useIdlePreload } from './use-idle-preload.ts';

async function preloadPages(): Promise<void> {
  for (const page of [RulesPage, SilencesPage, AddSilencePage]) await page.preload?.();
}

const HistoryPage = lazyRouteComponent(menuPages['/notifications'], 'HistoryPage');
const historyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  ...searchOptions(historySearch),
  component: loadsPages([HistoryPage], function NotificationsRoute() {
    useIdlePreload(preloadPages);
    return <HistoryPage mayWrite={may(useReader().roles, 'notifications', 'write')} />;
  }),
});

const RulesPage = lazyRouteComponent(
  () => import('../../features/notifications/rules/RulesPage.tsx'),
  'RulesPage',
);
const rulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications/rules',
  ...searchOptions(rulesSearch),
  component: loadsPages([RulesPage], function RulesRoute() {
    return <RulesPage reader={useReader()} />;
  }),
});

const SilencesPage = lazyRouteComponent(
  () => import('../../features/notifications/silences/SilencesPage.tsx'),
  'SilencesPage',
);
const silencesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications/silences',
  ...searchOptions(silencesSearch),
  component: loadsPages([SilencesPage], function SilencesRoute() {
    return <SilencesPage roles={useReader().roles} />;
  }),
});

const AddSilencePage = lazyRouteComponent(
  () => import('../../features/notifications/silences/AddSilencePage.tsx'),
  'AddSilencePage',
);
const addSilenceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications/silences/add',
  ...searchOptions(addSilenceSearch),
  component: loadsPages([AddSilencePage], function AddSilenceRoute() {
    return <AddSilencePage roles={useReader().roles} />;
  }),
});

export const notificationRoutes = [historyRoute, rulesRoute, silencesRoute, addSilenceRoute] as const;
