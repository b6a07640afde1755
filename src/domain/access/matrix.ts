/**
 * Who may read and write what (spec 1 §6). Server routes, tables, menus and buttons all ask here; the server
 * decides, the client only hides what would be refused.
 */
export const ROLES = ['admin', 'editor', 'viewer', 'commander', 'responder'] as const;
export type Role = (typeof ROLES)[number];

export const AREAS = [
  'database',
  'rbac',
  'auth',
  'responder',
  'incident',
  'evidences',
  'comments',
  'canaries',
  'topologies',
  'config_scrapers',
  'identities',
  'connections',
  'kratos',
  'agents',
  'properties',
  'logging_backends',
  'integrations',
  'notifications',
  'playbooks',
  'playbook_runs',
] as const;
export type Area = (typeof AREAS)[number];
export type Action = 'read' | 'write';

/** Kept from everyone but admins. */
const ADMIN_ONLY: ReadonlySet<Area> = new Set(['rbac', 'identities', 'connections']);
const INCIDENT_AREAS: ReadonlySet<Area> = new Set(['responder', 'incident', 'evidences', 'comments']);

/** For roles out of the database, which may have others. */
export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

function roleMay(role: Role, area: Area, action: Action): boolean {
  switch (role) {
    case 'admin':
      return true;
    case 'editor':
      // Reads what the others read, and writes all of it.
      return !ADMIN_ONLY.has(area);
    case 'commander':
    case 'responder':
      return action === 'read' ? !ADMIN_ONLY.has(area) : INCIDENT_AREAS.has(area);
    case 'viewer':
      return action === 'read' && !ADMIN_ONLY.has(area);
  }
}

/** The role of accounts that agents sign in with: it has no part in the areas, only what objects.ts gives it. */
export const AGENT_ROLE = 'agent';

/** The roles that count: a user without any is a viewer (spec 1 §6), an agent never one by accident. */
export function effectiveRoles(roles: readonly string[]): Role[] {
  const known = roles.filter(isRole);
  return known.length === 0 && !roles.includes(AGENT_ROLE) ? ['viewer'] : known;
}

/** True when any of the user's roles allows the action. */
export function may(roles: readonly string[], area: Area, action: Action): boolean {
  return effectiveRoles(roles).some((role) => roleMay(role, area, action));
}

/** Run Now on a check is for everyone but viewers (spec 1 §6). */
export function mayRunCheck(roles: readonly string[]): boolean {
  return effectiveRoles(roles).some((role) => role !== 'viewer');
}
