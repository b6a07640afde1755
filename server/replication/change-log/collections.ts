/** Who may read which collection of the change feed (spec 1 §6), and what names its rows. */
import { COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';
import { may, type Area } from '../../../src/domain/access/matrix.ts';

/** Where each kind of row in `resources` belongs. Whoever may not read one of them doesn't get the collection. */
export const RESOURCE_KINDS = {
  team: 'database',
  person: 'database',
  property: 'properties',
  agent: 'agents',
  topology: 'topologies',
  scraper: 'config_scrapers',
  notification_rule: 'notifications',
  silence: 'notifications',
  acknowledgement: 'notifications',
  incident_rule: 'incident',
  shift_note: 'database',
  logging_backend: 'logging_backends',
} as const satisfies Readonly<Record<string, Area>>;

const AREAS: Readonly<Record<CollectionName, Area | readonly Area[]>> = {
  incidents: 'incident',
  incident_records: 'incident',
  checks: 'canaries',
  canaries: 'canaries',
  resources: ['database', ...Object.values(RESOURCE_KINDS)],
  connections: 'connections',
  components: 'topologies',
  playbooks: 'playbooks',
  playbook_runs: 'playbook_runs',
  notification_history: 'notifications',
  configs: 'database',
  config_insights: 'database',
  config_changes: 'database',
  config_relationships: 'database',
  job_histories: 'database',
};

/** What a health-only deployment shows. */
const HEALTH_ONLY: ReadonlySet<CollectionName> = new Set(['checks', 'canaries']);

/** The collections that somebody with these roles may read now. */
export function readableCollections(
  roles: readonly string[],
  { isChecksOnly }: { isChecksOnly: boolean },
): CollectionName[] {
  return COLLECTIONS.filter(
    (name) =>
      (!isChecksOnly || HEALTH_ONLY.has(name)) &&
      [AREAS[name]].flat().every((area) => may(roles, area, 'read')),
  );
}
