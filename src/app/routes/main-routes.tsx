/** The routes of the main menu and of what they lead to; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { useUnread } from '../../data/queries/incidents/use-unread.ts';
import { may, mayRunCheck } from '../../domain/access/matrix.ts';
import { HealthPage } from '../../features/health/HealthPage.tsx';
import { healthSearch } from '../../features/health/url-state.ts';
import { besideSearch, listSearch } from '../../features/incidents/search-schemas.ts';
import { logsSearch } from '../../features/logs/search-schema.ts';
import { componentSearch, topologySearch } from '../../features/topology/search-schemas.ts';
import { addCheckSearch } from '../../features/settings/search-schemas.ts';
import { SideBySide } from '../../ui/page/SideBySide.tsx';
import { searchOptions } from '../../ui/search/search-params.ts';
import { loadsPages } from './loads-pages.ts';
import { shellRoute, standaloneRoute, useReader } from './base-routes.tsx';
import { notificationRoutes } from './notification-routes.tsx';
import { menuPages } from './menu-pages.ts';
import { playbookRoutes } from './playbook-routes.tsx';
import { useIdlePreload } from './use-idle-preload.ts';

function HealthRoute() {
  const { roles } = useReader();
  return <HealthPage mayRun={mayRunCheck(roles)} mayEdit={may(roles, 'canaries', 'write')} roles={roles} />;
}

const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health',
  ...searchOptions(healthSearch),
  component: HealthRoute,
});

const AddCheckPage = lazyRouteComponent(
  () => import('../../features/settings/checks/AddCheckPage.tsx'),
  'AddCheckPage',
);
const addCheckRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health/add',
  ...searchOptions(addCheckSearch),
  component: loadsPages([AddCheckPage], function AddCheckRoute() {
    const reader = useReader();
    return <AddCheckPage reader={reader} mayAdd={may(reader.roles, 'canaries', 'write')} />;
  }),
});

const ImportPage = lazyRouteComponent(
  () => import('../../features/settings/checks/ImportPage.tsx'),
  'ImportPage',
);
const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health/import',
  component: loadsPages([ImportPage], function ImportRoute() {
    const reader = useReader();
    return <ImportPage reader={reader} mayAdd={may(reader.roles, 'canaries', 'write')} />;
  }),
});

const topologyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology',
  ...searchOptions(topologySearch),
  component: lazyRouteComponent(menuPages['/topology'], 'TopologyPage'),
});

const ComponentPage = lazyRouteComponent(
  () => import('../../features/topology/component/ComponentPage.tsx'),
  'ComponentPage',
);
const componentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology/$componentId',
  ...searchOptions(componentSearch),
  component: loadsPages([ComponentPage], function ComponentRoute() {
    return <ComponentPage componentId={componentRoute.useParams().componentId} />;
  }),
});

const StandaloneComponentPage = lazyRouteComponent(
  () => import('../../features/topology/StandalonePage.tsx'),
  'StandalonePage',
);
const standaloneComponentRoute = createRoute({
  getParentRoute: () => standaloneRoute,
  path: '/view/topology/$componentId',
  ...searchOptions(componentSearch),
  component: loadsPages([StandaloneComponentPage], function StandaloneComponentRoute() {
    return <StandaloneComponentPage componentId={standaloneComponentRoute.useParams().componentId} />;
  }),
});
export const standaloneRoutes = [standaloneComponentRoute] as const;

const IncidentPage = lazyRouteComponent(
  () => import('../../features/incidents/page/IncidentPage.tsx'),
  'IncidentPage',
);
const preloadIncidentPage = async () => IncidentPage.preload?.();

const IncidentsPage = lazyRouteComponent(menuPages['/incidents'], 'IncidentsPage');
function IncidentsList() {
  return <IncidentsPage reader={useReader()} unread={useUnread().byIncident} />;
}
const incidentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents',
  ...searchOptions(listSearch),
  component: loadsPages([IncidentsPage], function IncidentsRoute() {
    useIdlePreload(preloadIncidentPage);
    return <IncidentsList />;
  }),
});

const incidentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents/$incidentId',
  ...searchOptions(besideSearch),
  // Not the list: a phone shows none beside it.
  component: loadsPages([IncidentPage], function IncidentRoute() {
    const { incidentId } = incidentRoute.useParams();
    return (
      <SideBySide list={<IncidentsList />}>
        <IncidentPage incidentId={incidentId} reader={useReader()} />
      </SideBySide>
    );
  }),
});

const ShiftPage = lazyRouteComponent(menuPages['/shift'], 'ShiftPage');
const shiftRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/shift',
  component: loadsPages([ShiftPage], function ShiftRoute() {
    return <ShiftPage reader={useReader()} />;
  }),
});

const outboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/outbox',
  component: lazyRouteComponent(menuPages['/outbox'], 'OutboxPage'),
});

const logsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/logs',
  ...searchOptions(logsSearch),
  component: lazyRouteComponent(menuPages['/logs'], 'LogsPage'),
});

const InboxPage = lazyRouteComponent(() => import('../../features/inbox/InboxPage.tsx'), 'InboxPage');
const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  component: loadsPages([InboxPage], function InboxRoute() {
    return <InboxPage userId={useReader().id} />;
  }),
});

const helpRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/help',
  component: lazyRouteComponent(menuPages['/help'], 'HelpPage'),
});

export const mainRoutes = [
  healthRoute,
  addCheckRoute,
  importRoute,
  topologyRoute,
  componentRoute,
  ...playbookRoutes,
  logsRoute,
  incidentsRoute,
  incidentRoute,
  ...notificationRoutes,
  inboxRoute,
  shiftRoute,
  outboxRoute,
  helpRoute,
] as const;
