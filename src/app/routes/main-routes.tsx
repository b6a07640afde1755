/** The routes of the main menu and of what they lead to; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useUnread } from '../../data/queries/use-unread.ts';
import { may, mayRunCheck } from '../../domain/access/matrix.ts';
import { HealthPage } from '../../features/health/HealthPage.tsx';
import { parseHealthSearch, writeHealthSearch } from '../../features/health/url-state.ts';
import type { ChangeSearch } from '../../features/health/use-health-state.ts';
import {
  parseListSearch,
  parsePageSearch,
  writeListSearch,
  writePageSearch,
  type ListSearch,
  type PageSearch,
} from '../../features/incidents/url-state.ts';
import { parseTextSearch, type TextSearch } from '../../ui/hooks/text-search.ts';
import { shellRoute, useReader } from './base-routes.tsx';
import { menuPages } from './menu-pages.ts';

function HealthRoute() {
  const search = healthRoute.useSearch();
  const navigate = healthRoute.useNavigate();
  const { roles } = useReader();
  const handleSearch = useCallback<ChangeSearch>(
    (change, isReplacing) => void navigate({ search: change, replace: isReplacing }),
    [navigate],
  );
  return (
    <HealthPage
      search={search}
      onSearch={handleSearch}
      mayRun={mayRunCheck(roles)}
      mayEdit={may(roles, 'canaries', 'write')}
      roles={roles}
    />
  );
}

const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/health',
  validateSearch: (search: Record<string, unknown>) => writeHealthSearch(parseHealthSearch(search)),
  component: HealthRoute,
});

const TopologyPage = lazyRouteComponent(menuPages['/topology'], 'TopologyPage');
const topologyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology',
  validateSearch: parseTextSearch,
  component: function TopologyRoute() {
    const navigate = topologyRoute.useNavigate();
    const handleSearch = useCallback(
      (next: TextSearch) => void navigate({ search: next, replace: true }),
      [navigate],
    );
    return <TopologyPage search={topologyRoute.useSearch()} onSearch={handleSearch} />;
  },
});

const ComponentPage = lazyRouteComponent(
  () => import('../../features/topology/ComponentPage.tsx'),
  'ComponentPage',
);
const componentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology/$componentId',
  component: function ComponentRoute() {
    return <ComponentPage componentId={componentRoute.useParams().componentId} />;
  },
});

const playbooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks',
  component: lazyRouteComponent(menuPages['/playbooks'], 'PlaybooksPage'),
});

const IncidentsPage = lazyRouteComponent(menuPages['/incidents'], 'IncidentsPage');
function IncidentsRoute() {
  const search = incidentsRoute.useSearch();
  const navigate = incidentsRoute.useNavigate();
  const handleSearch = useCallback(
    (next: ListSearch, isReplacing: boolean) => void navigate({ search: next, replace: isReplacing }),
    [navigate],
  );
  const { byIncident } = useUnread();
  return <IncidentsPage search={search} onSearch={handleSearch} reader={useReader()} unread={byIncident} />;
}

const incidentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents',
  validateSearch: (search: Record<string, unknown>) => writeListSearch(parseListSearch(search)),
  component: IncidentsRoute,
});

const IncidentPage = lazyRouteComponent(
  () => import('../../features/incidents/page/IncidentPage.tsx'),
  'IncidentPage',
);
function IncidentRoute() {
  const { incidentId } = incidentRoute.useParams();
  const search = incidentRoute.useSearch();
  const navigate = incidentRoute.useNavigate();
  const handleSearch = useCallback((next: PageSearch) => void navigate({ search: next }), [navigate]);
  return (
    <IncidentPage incidentId={incidentId} search={search} onSearch={handleSearch} reader={useReader()} />
  );
}

const incidentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/incidents/$incidentId',
  validateSearch: (search: Record<string, unknown>) => writePageSearch(parsePageSearch(search)),
  component: IncidentRoute,
});

const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  component: lazyRouteComponent(menuPages['/notifications'], 'NotificationsPage'),
});

const outboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/outbox',
  component: lazyRouteComponent(menuPages['/outbox'], 'OutboxPage'),
});

const InboxPage = lazyRouteComponent(() => import('../../features/inbox/InboxPage.tsx'), 'InboxPage');
const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  component: function InboxRoute() {
    return <InboxPage userId={useReader().id} />;
  },
});

const helpRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/help',
  component: lazyRouteComponent(menuPages['/help'], 'HelpPage'),
});

export const mainRoutes = [
  healthRoute,
  topologyRoute,
  componentRoute,
  playbooksRoute,
  incidentsRoute,
  incidentRoute,
  notificationsRoute,
  inboxRoute,
  outboxRoute,
  helpRoute,
] as const;
