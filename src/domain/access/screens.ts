/**
 * Every screen of the app in one table: what it needs, which flag switches it off, where menus show it. Router
 * guards, sidebar, settings menu and links to screens ask here and nowhere else; the server decides again.
 * A new screen is one line here and one route.
 */
import { isFeatureOn, type Flag, type PropertyValues } from './flags.ts';
import { effectiveRoles, may, type Action, type Area } from './matrix.ts';

export interface Screen {
  /** The route's path; `$name` stands for a part that varies. */
  path: string;
  title: string;
  /** Null for screens about this device or the user's own things. */
  needs: { area: Area; action: Action } | null;
  flag: Flag | null;
  menu: 'main' | 'settings' | null;
  /** Part of a health-only deployment. */
  isInChecksOnly?: true;
  /** Doesn't wait for the feature flags to load (spec 1 §2). */
  isStandalone?: true;
}

const reads = (area: Area) => ({ area, action: 'read' as const });
const writes = (area: Area) => ({ area, action: 'write' as const });

const AREA_OF = {
  config: 'database',
  topology: 'database',
  incidents: 'incident',
  playbooks: 'playbooks',
  'settings.notifications': 'notifications',
  'settings.health': 'canaries',
  'settings.teams': 'database',
  'settings.rules': 'incident',
} as const;

/** Pages of a part of the product that no menu shows. */
const unlisted =
  (flag: keyof typeof AREA_OF) =>
  (path: string, title: string): Screen => ({ path, title, needs: reads(AREA_OF[flag]), flag, menu: null });
const inCatalog = unlisted('config');
const aComponent = unlisted('topology');
const aPlaybook = unlisted('playbooks');
const ofNotifications = unlisted('settings.notifications');

/** In the order of the menus (spec 1 §2). What the spec leaves open is guarded as contract §2.5 has it. */
export const SCREENS = [
  { path: '/topology', title: 'Dashboard', needs: reads('database'), flag: 'topology', menu: 'main' },
  aComponent('/topology/$componentId', 'Component'),
  { ...aComponent('/view/topology/$componentId', 'Component'), isStandalone: true },
  {
    path: '/health',
    title: 'Health',
    needs: reads('canaries'),
    flag: 'health',
    menu: 'main',
    isInChecksOnly: true,
  },
  { path: '/incidents', title: 'Incidents', needs: reads('incident'), flag: 'incidents', menu: 'main' },
  unlisted('incidents')('/incidents/$incidentId', 'Incident'),
  { path: '/catalog', title: 'Catalog', needs: reads('database'), flag: 'config', menu: 'main' },
  inCatalog('/catalog/changes', 'Changes'),
  inCatalog('/catalog/insights', 'Insights'),
  { ...inCatalog('/catalog/scrapers', 'Scrapers'), needs: reads('config_scrapers') },
  { ...inCatalog('/catalog/scrapers/$scraperId', 'Scraper'), needs: reads('config_scrapers') },
  inCatalog('/catalog/$configId', 'Catalog item'),
  inCatalog('/catalog/$configId/changes', 'Catalog item'),
  inCatalog('/catalog/$configId/insights', 'Catalog item'),
  inCatalog('/catalog/$configId/relationships', 'Catalog item'),
  inCatalog('/catalog/$configId/playbooks', 'Catalog item'),
  inCatalog('/catalog/$configId/checks', 'Catalog item'),
  { path: '/logs', title: 'Logs', needs: reads('database'), flag: 'logs', menu: 'main' },
  { path: '/playbooks', title: 'Playbooks', needs: reads('playbooks'), flag: 'playbooks', menu: 'main' },
  aPlaybook('/playbooks/runs', 'Playbook runs'),
  aPlaybook('/playbooks/runs/$runId', 'Playbook run'),
  aPlaybook('/playbooks/$playbookId', 'Playbook'),
  {
    path: '/notifications',
    title: 'Notifications',
    needs: reads('notifications'),
    flag: 'settings.notifications',
    menu: 'main',
  },
  ofNotifications('/notifications/rules', 'Notification rules'),
  ofNotifications('/notifications/silences', 'Silences'),
  {
    ...ofNotifications('/notifications/silences/add', 'New silence'),
    needs: writes('database'),
  },
  { path: '/inbox', title: 'For you', needs: reads('incident'), flag: 'incidents', menu: null },
  { path: '/shift', title: 'Hand-over', needs: reads('database'), flag: null, menu: 'main' },
  { path: '/outbox', title: 'Outbox', needs: null, flag: null, menu: 'main' },
  { path: '/help', title: 'Help', needs: null, flag: null, menu: 'main', isInChecksOnly: true },
  { ...unlisted('settings.health')('/settings/canaries/$canaryId', 'Health check'), isInChecksOnly: true },
  {
    path: '/settings/connections',
    title: 'Connections',
    needs: reads('connections'),
    flag: 'settings.connections',
    menu: 'settings',
  },
  {
    path: '/settings/users',
    title: 'Users',
    needs: reads('identities'),
    flag: 'settings.users',
    menu: 'settings',
  },
  {
    path: '/settings/teams',
    title: 'Teams',
    needs: reads('database'),
    flag: 'settings.teams',
    menu: 'settings',
  },
  unlisted('settings.teams')('/settings/teams/$id', 'Team'),
  {
    path: '/settings/incident_rules',
    title: 'Rules',
    needs: reads('incident'),
    flag: 'settings.rules',
    menu: 'settings',
  },
  unlisted('settings.rules')('/settings/incident_rules/$id', 'Rule'),
  {
    path: '/settings/config_scrapers',
    title: 'Catalog Scraper',
    needs: reads('config_scrapers'),
    flag: 'settings.config_scraper',
    menu: 'settings',
  },
  {
    path: '/settings/config_scrapers/$id',
    title: 'Catalog Scraper',
    needs: reads('config_scrapers'),
    flag: 'settings.config_scraper',
    menu: null,
  },
  {
    path: '/settings/topologies',
    title: 'Topology',
    needs: reads('topologies'),
    flag: 'settings.topology',
    menu: 'settings',
  },
  {
    path: '/settings/topologies/$id',
    title: 'Topology',
    needs: reads('topologies'),
    flag: 'settings.topology',
    menu: null,
  },
  {
    path: '/settings/canaries',
    title: 'Health Check',
    needs: reads('canaries'),
    flag: 'settings.health',
    menu: 'settings',
  },
  {
    path: '/settings/canaries/$id/edit',
    title: 'Health Check',
    needs: reads('canaries'),
    flag: 'settings.health',
    menu: null,
  },
  {
    path: '/settings/jobs',
    title: 'Jobs History',
    needs: reads('database'),
    flag: 'settings.job_history',
    menu: 'settings',
  },
  {
    path: '/settings/feature-flags',
    title: 'Feature Flags',
    needs: reads('properties'),
    flag: 'settings.feature_flags',
    menu: 'settings',
  },
  {
    path: '/settings/logging_backends',
    title: 'Log Backends',
    needs: reads('logging_backends'),
    flag: 'settings.logging_backends',
    menu: 'settings',
  },
  {
    path: '/settings/logging_backends/$id',
    title: 'Log Backend',
    needs: reads('logging_backends'),
    flag: 'settings.logging_backends',
    menu: null,
  },
  {
    path: '/settings/event-queue-status',
    title: 'Event Queue',
    needs: reads('database'),
    flag: 'settings.event_queue_status',
    menu: 'settings',
  },
  { path: '/settings/agents', title: 'Agents', needs: reads('agents'), flag: 'agents', menu: 'settings' },
  { path: '/settings/walls', title: 'Walls', needs: reads('canaries'), flag: null, menu: 'settings' },
  { path: '/settings/tablets', title: 'Tablets', needs: reads('identities'), flag: null, menu: 'settings' },
  {
    path: '/settings/walls/boards/$boardId',
    title: 'Board',
    needs: writes('canaries'),
    flag: null,
    menu: null,
  },
  {
    path: '/settings/integrations',
    title: 'Integrations',
    needs: reads('integrations'),
    flag: 'settings.integrations',
    menu: 'settings',
  },
  {
    path: '/settings/integrations/$type/$id',
    title: 'Integration',
    needs: reads('integrations'),
    flag: 'settings.integrations',
    menu: null,
  },
  {
    path: '/settings/storage',
    title: 'Storage',
    needs: null,
    flag: null,
    menu: 'settings',
    isInChecksOnly: true,
  },
  { path: '/profile-settings', title: 'Profile settings', needs: null, flag: null, menu: null },
] as const satisfies readonly Screen[];

/** The addresses in the menus. */
export type MenuPath = Extract<(typeof SCREENS)[number], { menu: 'main' | 'settings' }>['path'];

/** Who looks, and at what kind of deployment. `properties` is null while the flags aren't known. */
export interface Viewer {
  roles: readonly string[];
  properties: PropertyValues | null;
  isChecksOnly: boolean;
  /** A cluster is connected, so there is a kubeconfig to offer. */
  hasClusterProxy?: boolean;
}

export type Verdict =
  | 'open'
  /** The flags aren't known yet. */
  | 'waiting'
  /** Not part of this deployment. */
  | 'absent'
  /** Switched off by a feature flag. */
  | 'disabled'
  | 'forbidden';

/** Whether a screen may be shown. */
export function screenAccess(screen: Screen, viewer: Viewer): Verdict {
  const { needs, flag } = screen;
  if (viewer.isChecksOnly && screen.isInChecksOnly !== true) return 'absent';
  if (flag !== null && viewer.properties === null && screen.isStandalone !== true) return 'waiting';
  if (flag !== null && !isFeatureOn(flag, viewer.properties ?? new Map())) return 'disabled';
  if (needs !== null && !may(viewer.roles, needs.area, needs.action)) return 'forbidden';
  return 'open';
}

/** The screen of a route; undefined for routes that are none (redirects). */
export function screenAt(path: string): Screen | undefined {
  // A route within another one, at its own address, ends with a slash.
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  return SCREENS.find((screen) => screen.path === plain);
}

/** True when the user may do no more than look: the Settings submenu is hidden then (spec 1 §2). */
export function isViewerOnly(roles: readonly string[]): boolean {
  return effectiveRoles(roles).every((role) => role === 'viewer');
}

/** What a menu shows, in order. */
export function menuScreens(menu: 'main' | 'settings', viewer: Viewer): Screen[] {
  if (menu === 'settings' && (isViewerOnly(viewer.roles) || viewer.isChecksOnly)) return [];
  return SCREENS.filter((screen) => screen.menu === menu && screenAccess(screen, viewer) === 'open');
}

/**
 * Where `/` leads: to the topology (spec 1 §2), else to the first screen that there is for this user. A topology
 * without a component has nothing to say, so it comes last.
 */
export function homePath(viewer: Viewer, { hasComponents }: { hasComponents: boolean }): string {
  const screens = menuScreens('main', viewer);
  const first = screens.find(({ path }) => hasComponents || path !== '/topology') ?? screens[0];
  return first?.path ?? '/help';
}
