/**
 * What is replicated to devices (design §4, table of scopes): the names that the change log, the local store and
 * live queries share, and how each is kept. The server's side (tables, projection, scope) is
 * `server/replication/change-log/collections`; this side says where rows go on a device.
 */
/** In the order in which a first load brings them: what burns first, the catalog last (law 10). */
export const COLLECTIONS = [
  'incidents',
  'incident_records',
  'checks',
  'canaries',
  'resources',
  'connections',
  'components',
  'playbooks',
  'playbook_runs',
  'notification_history',
  'configs',
  'config_insights',
  'config_changes',
  'config_relationships',
  'job_histories',
] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

/** Where rows are kept, as measured: docs/decisions/0021. */
export type StoreKind = 'rxdb' | 'packed';

export interface CollectionFacts {
  store: StoreKind;
  /** Rows kept here at most; the oldest go first. */
  cap: number;
}

export const COLLECTION_FACTS: Readonly<Record<CollectionName, CollectionFacts>> = {
  incidents: { store: 'packed', cap: 10_000 },
  incident_records: { store: 'packed', cap: 50_000 },
  checks: { store: 'packed', cap: 20_000 },
  canaries: { store: 'rxdb', cap: 20_000 },
  resources: { store: 'packed', cap: 20_000 },
  // Apart from the other resources because fewer may read them (spec 1 §6); without secrets (law 13).
  connections: { store: 'packed', cap: 20_000 },
  components: { store: 'packed', cap: 50_000 },
  playbooks: { store: 'rxdb', cap: 10_000 },
  playbook_runs: { store: 'packed', cap: 10_000 },
  notification_history: { store: 'packed', cap: 20_000 },
  configs: { store: 'packed', cap: 100_000 },
  config_insights: { store: 'packed', cap: 20_000 },
  config_changes: { store: 'packed', cap: 50_000 },
  config_relationships: { store: 'packed', cap: 300_000 },
  job_histories: { store: 'packed', cap: 20_000 },
};

/**
 * Collections whose first load comes as pages that are kept as they came (`snapshotPagesSchema`): rows of which no more
 * is known than that they have an id. The others are parsed by schemas of their own, or compared row by row.
 */
export const PAGED_COLLECTIONS: ReadonlySet<CollectionName> = new Set([
  'connections',
  'components',
  'playbook_runs',
  'notification_history',
  'configs',
  'config_insights',
  'config_changes',
  'config_relationships',
  'job_histories',
]);

/** Any replicated row: an id of its own within its collection, and the columns of its projection. */
export type ReplicatedRow = { id: string } & Record<string, unknown>;
