/**
 * The objects and actions that calls are asked for and refused by (schema §3.5), each tied to the areas of the
 * access matrix. The names are the contract's: they stand in `GET /auth/whoami` and in the headers of a refusal.
 * Where the contract's own grants and spec 1 §6 disagree, the matrix decides.
 */
import { AGENT_ROLE, may } from './matrix.ts';
import type { Action, Area } from './matrix.ts';

export const OBJECTS = [
  'agent',
  'agent-push',
  'artifact',
  'auth',
  'canaries',
  'catalog',
  'connection',
  'connection-detail',
  'database.config_scrapers',
  'database.kratos',
  'database.monitor',
  'database.public',
  'database.system',
  'incident',
  'kubernetes-proxy',
  'logs',
  'notification',
  'people',
  'playbooks',
  'rbac',
  'topology',
] as const;
export type AccessObject = (typeof OBJECTS)[number];

export const OBJECT_ACTIONS = ['read', 'create', 'update', 'delete', 'run', 'approve'] as const;
export type ObjectAction = (typeof OBJECT_ACTIONS)[number];

interface ObjectRule {
  read: Area;
  /** Where writing is for fewer than the reading area says. */
  write?: Area;
  /** For objects whose very reading acts on something. */
  readIsWriting?: true;
}

const RULES: Readonly<Record<AccessObject, ObjectRule>> = {
  agent: { read: 'agents' },
  'agent-push': { read: 'agents', readIsWriting: true },
  artifact: { read: 'canaries' },
  auth: { read: 'rbac' },
  canaries: { read: 'canaries' },
  catalog: { read: 'database' },
  connection: { read: 'connections' },
  'connection-detail': { read: 'connections' },
  'database.config_scrapers': { read: 'config_scrapers' },
  'database.kratos': { read: 'identities' },
  'database.monitor': { read: 'database' },
  'database.public': { read: 'database' },
  'database.system': { read: 'properties' },
  incident: { read: 'incident' },
  // Whatever the method, the cluster is asked in the server's name.
  'kubernetes-proxy': { read: 'database', readIsWriting: true },
  logs: { read: 'logging_backends' },
  notification: { read: 'notifications' },
  people: { read: 'database', write: 'identities' },
  playbooks: { read: 'playbooks' },
  rbac: { read: 'rbac' },
  topology: { read: 'topologies' },
};

/** What an agent's account may do besides what its person's roles allow (schema §3.5). */
const AGENT_GRANTS: Readonly<Partial<Record<AccessObject, readonly ObjectAction[]>>> = {
  'agent-push': ['read', 'create', 'update'],
  topology: ['create', 'update'],
};

/** Running and approving exist for playbooks alone. */
const PLAYBOOK_ACTIONS: ReadonlySet<ObjectAction> = new Set(['run', 'approve']);

/** Whether somebody with these roles may do this. */
export function mayAct(roles: readonly string[], object: AccessObject, action: ObjectAction): boolean {
  if (PLAYBOOK_ACTIONS.has(action) && object !== 'playbooks') return false;
  if (roles.includes(AGENT_ROLE) && AGENT_GRANTS[object]?.includes(action) === true) return true;
  const { read, write = read, readIsWriting = false } = RULES[object];
  const needed: Action = action === 'read' && !readIsWriting ? 'read' : 'write';
  return may(roles, action === 'read' ? read : write, needed);
}

export interface Permission {
  subject: string;
  object: string;
  action: string;
  deny: boolean;
}

/** All that these roles allow, as `GET /auth/whoami` and `GET /rbac/dump` list it. */
export function permissionsOf(subject: string, roles: readonly string[]): Permission[] {
  return OBJECTS.flatMap((object) =>
    OBJECT_ACTIONS.filter((action) => mayAct(roles, object, action)).map((action) => ({
      subject,
      object,
      action,
      deny: false,
    })),
  );
}
