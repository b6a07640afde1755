/** The administrators' routes below /settings; who may open them says src/domain/access/screens.ts. */
import {
  createRoute,
  lazyRouteComponent,
  redirect,
  useNavigate,
  useParams,
  useSearch,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useCallback } from 'react';
import type { SessionUser } from '../../contract/worker.ts';
import { links } from '../../domain/links.ts';
import type { ResourceKind } from '../../domain/settings/resource-kinds.ts';
import type { Search, SearchProps } from '../../ui/tables/use-table-state.ts';
import { UnknownTypeScreen } from '../gate/screens.tsx';
import { shellRoute, useReader } from './base-routes.tsx';
import { menuPages } from './menu-pages.ts';

const MAX_TEXT = 1000;

/** The texts of the query; each page reads its own and ignores the rest. */
function parseTexts(search: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value.slice(0, MAX_TEXT)]] : [],
    ),
  );
}

interface PageProps extends SearchProps {
  reader: SessionUser;
}

/** The query string of the page that is shown, and how it is changed. */
function useSearchProps(): SearchProps {
  const search = parseTexts(useSearch({ strict: false }));
  const navigate = useNavigate();
  const onSearch = useCallback(
    (next: Search, replace: boolean) =>
      // The routes below read any text: which one it is isn't known here.
      void navigate({ to: '.', search: next as never, replace }),
    [navigate],
  );
  return { search, onSearch };
}

function listRoute<Path extends string>(path: Path, Component: ComponentType<PageProps>) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    validateSearch: parseTexts,
    component: function ListRoute() {
      return <Component {...useSearchProps()} reader={useReader()} />;
    },
  });
}

const ResourcesPage = lazyRouteComponent(menuPages['/settings/teams'], 'ResourcesPage');
const ResourcePage = lazyRouteComponent(
  () => import('../../features/settings/resources/ResourcePage.tsx'),
  'ResourcePage',
);

/** The list of one kind of resource. */
function resourcesRoute<Path extends string>(path: Path, kind: ResourceKind) {
  return listRoute(path, (props) => <ResourcesPage {...props} key={kind} kind={kind} />);
}

/** One resource of a kind. */
function resourceRoute<Path extends string>(path: Path, kind: ResourceKind) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    validateSearch: parseTexts,
    component: function ResourceRoute() {
      const { id = '' } = useParams({ strict: false });
      return <ResourcePage {...useSearchProps()} key={id} kind={kind} id={id} reader={useReader()} />;
    },
  });
}

export const administrationRoutes = [
  listRoute('/settings/users', lazyRouteComponent(menuPages['/settings/users'], 'UsersPage')),
  listRoute('/settings/jobs', lazyRouteComponent(menuPages['/settings/jobs'], 'JobsPage')),
  listRoute('/settings/feature-flags', lazyRouteComponent(menuPages['/settings/feature-flags'], 'FlagsPage')),
  listRoute(
    '/settings/event-queue-status',
    lazyRouteComponent(menuPages['/settings/event-queue-status'], 'EventQueuePage'),
  ),
  // Each kind has a page of its own (spec 2 §2); what stays here is a type that nobody knows.
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/integrations/$type/$id',
    beforeLoad: ({ params }) => {
      const href = links.integration(params.type, params.id);
      if (href !== null) redirect({ href, replace: true, throw: true });
    },
    component: UnknownTypeScreen,
  }),
  listRoute(
    '/settings/integrations',
    lazyRouteComponent(menuPages['/settings/integrations'], 'IntegrationsPage'),
  ),
  listRoute('/settings/agents', lazyRouteComponent(menuPages['/settings/agents'], 'AgentsPage')),
  listRoute(
    '/settings/connections',
    lazyRouteComponent(menuPages['/settings/connections'], 'ConnectionsPage'),
  ),
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
