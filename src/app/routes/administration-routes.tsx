/** The administrators' routes below /settings; who may open them says src/domain/access/screens.ts. */
import { createRoute, lazyRouteComponent, useParams, type AsyncRouteComponent } from '@tanstack/react-router';
import type { SessionUser } from '../../contract/session-user.ts';
import { INTEGRATIONS } from '../../domain/integration/integration-types.ts';
import type { ResourceKind } from '../../domain/settings/resource-kinds.ts';
import { jobsSearch } from '../../features/settings/jobs/search-schema.ts';
import { boardSearch, wallsSearch } from '../../features/wall/search-schemas.ts';
import {
  agentsSearch,
  integrationsSearch,
  resourceSearch,
  resourcesSearch,
} from '../../features/settings/search-schemas.ts';
import { searchOptions, type SearchSchema } from '../../ui/search/search-params.ts';
import { tableSearch } from '../../ui/tables/table-state.ts';
import { UnknownTypeScreen } from '../gate/screens.tsx';
import { loadsPages } from './loads-pages.ts';
import { shellRoute, useReader } from './base-routes.tsx';
import { menuPages } from './menu-pages.ts';

function listRoute<Path extends string, Search extends object>(
  path: Path,
  search: SearchSchema<Search>,
  Component: AsyncRouteComponent<{ reader: SessionUser }>,
) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    ...searchOptions(search),
    component: loadsPages([Component], function ListRoute() {
      return <Component reader={useReader()} />;
    }),
  });
}

const ResourcesPage = lazyRouteComponent(menuPages['/settings/teams'], 'ResourcesPage');
const ResourcePage = lazyRouteComponent(
  () => import('../../features/settings/resources/ResourcePage.tsx'),
  'ResourcePage',
);

/** The list of one kind of resource. */
function resourcesRoute<Path extends string>(path: Path, kind: ResourceKind) {
  const Page = (props: { reader: SessionUser }) => <ResourcesPage {...props} key={kind} kind={kind} />;
  return listRoute(path, resourcesSearch, loadsPages([ResourcesPage], Page));
}

const BoardEditor = lazyRouteComponent(
  () => import('../../features/wall/editor/BoardEditor.tsx'),
  'BoardEditor',
);
const boardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/walls/boards/$boardId',
  ...searchOptions(boardSearch),
  component: loadsPages([BoardEditor], function BoardRoute() {
    const { boardId } = boardRoute.useParams();
    return <BoardEditor key={boardId} boardId={boardId} />;
  }),
});

/** One resource of a kind. */
function resourceRoute<Path extends string>(path: Path, kind: ResourceKind) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    ...searchOptions(resourceSearch),
    component: loadsPages([ResourcePage], function ResourceRoute() {
      const { id = '' } = useParams({ strict: false });
      return <ResourcePage key={id} kind={kind} id={id} reader={useReader()} />;
    }),
  });
}

const IntegrationPage = lazyRouteComponent(
  () => import('../../features/settings/integrations/IntegrationPage.tsx'),
  'IntegrationPage',
);
const integrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/integrations/$type/$id',
  ...searchOptions(resourceSearch),
  component: loadsPages([IntegrationPage], function IntegrationRoute() {
    const { type, id } = integrationRoute.useParams();
    const reader = useReader();
    const kind = INTEGRATIONS.get(type);
    return kind === undefined ? (
      <UnknownTypeScreen />
    ) : (
      <IntegrationPage key={id} kind={kind} id={id} reader={reader} />
    );
  }),
});

export const administrationRoutes = [
  listRoute('/settings/users', tableSearch, lazyRouteComponent(menuPages['/settings/users'], 'UsersPage')),
  listRoute('/settings/jobs', jobsSearch, lazyRouteComponent(menuPages['/settings/jobs'], 'JobsPage')),
  listRoute(
    '/settings/feature-flags',
    tableSearch,
    lazyRouteComponent(menuPages['/settings/feature-flags'], 'FlagsPage'),
  ),
  listRoute(
    '/settings/event-queue-status',
    tableSearch,
    lazyRouteComponent(menuPages['/settings/event-queue-status'], 'EventQueuePage'),
  ),
  integrationRoute,
  listRoute(
    '/settings/integrations',
    integrationsSearch,
    lazyRouteComponent(menuPages['/settings/integrations'], 'IntegrationsPage'),
  ),
  listRoute(
    '/settings/agents',
    agentsSearch,
    lazyRouteComponent(menuPages['/settings/agents'], 'AgentsPage'),
  ),
  listRoute(
    '/settings/connections',
    tableSearch,
    lazyRouteComponent(menuPages['/settings/connections'], 'ConnectionsPage'),
  ),
  listRoute('/settings/walls', wallsSearch, lazyRouteComponent(menuPages['/settings/walls'], 'WallsPage')),
  listRoute(
    '/settings/tablets',
    tableSearch,
    lazyRouteComponent(menuPages['/settings/tablets'], 'TabletsPage'),
  ),
  boardRoute,
  resourcesRoute('/settings/teams', 'teams'),
  resourceRoute('/settings/teams/$id', 'teams'),
  resourcesRoute('/settings/incident_rules', 'incident_rules'),
  resourceRoute('/settings/incident_rules/$id', 'incident_rules'),
  resourcesRoute('/settings/config_scrapers', 'config_scrapers'),
  resourceRoute('/settings/config_scrapers/$id', 'config_scrapers'),
  resourcesRoute('/settings/topologies', 'topologies'),
  resourceRoute('/settings/topologies/$id', 'topologies'),
  resourcesRoute('/settings/canaries', 'canaries'),
  resourceRoute('/settings/canaries/$id/edit', 'canaries'),
  resourcesRoute('/settings/logging_backends', 'logging_backends'),
  resourceRoute('/settings/logging_backends/$id', 'logging_backends'),
] as const;
