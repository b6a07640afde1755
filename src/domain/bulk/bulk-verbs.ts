/**
 * Which lists many can be chosen of, and what may be done to what is chosen there: the verbs of a bar, by what the user's
 * roles allow. The server asks for the same rights again, one by one.
 */
import { may, mayRunCheck, type Area } from '../access/matrix.ts';
import { THING_VERBS, THINGS, verbsOf, type ThingTable } from './things.ts';

/** Lists whose rows are no documents of settings. `integrations` are of several tables, each row says of which. */
export const OWN_KINDS = [
  'checks',
  'incidents',
  'configs',
  'notification_history',
  'integrations',
  'playbook_runs',
  'users',
  'walls',
  'tablets',
  'flags',
] as const;
export type OwnKind = (typeof OWN_KINDS)[number];
export type BulkKind = ThingTable | OwnKind;

/** Everything that is done to many, in the order of a bar. */
export const BULK_VERBS = [
  'acknowledge',
  'assign',
  'status',
  'resend',
  'cancel',
  'role',
  'activate',
  'deactivate',
  ...THING_VERBS,
  'revoke',
] as const;
export type BulkVerb = (typeof BULK_VERBS)[number];
const VERBS: ReadonlySet<unknown> = new Set(BULK_VERBS);
/** What is stored may be of a newer version. */
export const isBulkVerb = (verb: unknown): verb is BulkVerb => VERBS.has(verb);

/** Of integrations, which can be of any of these. */
export const INTEGRATION_TABLES = ['config_scrapers', 'topologies', 'logging_backends'] as const;

const NOUNS: Readonly<Record<OwnKind, readonly [one: string, many: string]>> = {
  checks: ['check', 'checks'],
  incidents: ['incident', 'incidents'],
  configs: ['item', 'items'],
  notification_history: ['notification', 'notifications'],
  integrations: ['integration', 'integrations'],
  playbook_runs: ['run', 'runs'],
  users: ['user', 'users'],
  walls: ['wall', 'walls'],
  tablets: ['tablet', 'tablets'],
  flags: ['feature flag', 'feature flags'],
};

const isThing = (kind: BulkKind): kind is ThingTable => Object.hasOwn(THINGS, kind);

/** As sentences call one row of the list, and several. */
export function nounOf(kind: BulkKind): readonly [one: string, many: string] {
  return isThing(kind) ? THINGS[kind].noun : NOUNS[kind];
}

type Granted = (area: Area) => boolean;

const changesOf = (table: ThingTable, writes: Granted) => (writes(THINGS[table].area) ? verbsOf(table) : []);

function ownVerbs(kind: OwnKind, roles: readonly string[], writes: Granted): readonly BulkVerb[] {
  const acknowledge: BulkVerb[] = writes('responder') ? ['acknowledge'] : [];
  switch (kind) {
    case 'checks':
      return [
        ...acknowledge,
        ...(mayRunCheck(roles) ? (['run'] as const) : []),
        ...changesOf('canaries', writes),
      ];
    case 'incidents':
      return [...acknowledge, ...(writes('incident') ? (['assign', 'status'] as const) : [])];
    case 'configs':
      return acknowledge;
    case 'notification_history':
      return writes('notifications') ? ['resend'] : [];
    case 'integrations':
      return INTEGRATION_TABLES.flatMap((table) => changesOf(table, writes));
    case 'playbook_runs':
      return writes('playbooks') ? ['cancel'] : [];
    case 'users':
      return writes('identities') ? ['role', 'activate', 'deactivate', 'delete'] : [];
    case 'walls':
    case 'tablets':
      return writes('identities') ? ['revoke'] : [];
    case 'flags':
      return writes('properties') ? ['delete'] : [];
  }
}

/** What somebody with these roles may do to rows of that list, in the order of the bar. */
export function bulkVerbs(kind: BulkKind, roles: readonly string[]): BulkVerb[] {
  const writes: Granted = (area) => may(roles, area, 'write');
  const allowed = new Set<BulkVerb>(isThing(kind) ? changesOf(kind, writes) : ownVerbs(kind, roles, writes));
  return BULK_VERBS.filter((verb) => allowed.has(verb));
}

/** Of these what every one of the chosen integrations can have done to it. */
export function sharedVerbs(
  verbs: readonly BulkVerb[],
  tables: readonly (ThingTable | undefined)[],
): BulkVerb[] {
  const known = [...new Set(tables)].filter((table) => table !== undefined);
  return verbs.filter((verb) => known.every((table) => (verbsOf(table) as BulkVerb[]).includes(verb)));
}
