/**
 * The pages that the menus lead to, by address. Their files are cached before those of all other pages
 * (scripts/precache-order.ts), so that each entry of the menus opens offline soon after the first visit: the compiler
 * misses a page here when a screen gets a place in a menu. /health is part of the app's entry.
 */
import type { MenuPath } from '../../domain/access/screens.ts';

const resourcesPage = () => import('../../features/settings/resources/ResourcesPage.tsx');

export const menuPages = {
  '/topology': () => import('../../features/topology/TopologyPage.tsx'),
  '/incidents': () => import('../../features/incidents/list/IncidentsPage.tsx'),
  '/catalog': () => import('../../features/catalog/list/CatalogPage.tsx'),
  '/logs': () => import('../../features/logs/LogsPage.tsx'),
  '/playbooks': () => import('../../features/playbooks/PlaybooksPage.tsx'),
  '/notifications': () => import('../../features/notifications/history/HistoryPage.tsx'),
  '/shift': () => import('../../features/shift/ShiftPage.tsx'),
  '/outbox': () => import('../../features/outbox/OutboxPage.tsx'),
  '/help': () => import('../../features/help/HelpPage.tsx'),
  '/settings/connections': () => import('../../features/settings/connections/ConnectionsPage.tsx'),
  '/settings/users': () => import('../../features/users/UsersPage.tsx'),
  '/settings/teams': resourcesPage,
  '/settings/incident_rules': resourcesPage,
  '/settings/config_scrapers': resourcesPage,
  '/settings/topologies': resourcesPage,
  '/settings/canaries': resourcesPage,
  '/settings/jobs': () => import('../../features/settings/jobs/JobsPage.tsx'),
  '/settings/feature-flags': () => import('../../features/settings/flags/FlagsPage.tsx'),
  '/settings/logging_backends': resourcesPage,
  '/settings/event-queue-status': () => import('../../features/settings/EventQueuePage.tsx'),
  '/settings/agents': () => import('../../features/settings/agents/AgentsPage.tsx'),
  '/settings/integrations': () => import('../../features/settings/integrations/IntegrationsPage.tsx'),
  '/settings/tablets': () => import('../../features/tablet/settings/TabletsPage.tsx'),
  '/settings/walls': () => import('../../features/wall/settings/WallsPage.tsx'),
  '/settings/storage': () => import('../../features/storage/StoragePage.tsx'),
} satisfies Record<Exclude<MenuPath, '/health'>, () => Promise<unknown>>;
