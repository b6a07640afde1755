/**
 * What each kind of resource is made of for selectors (schema §5.1). The texts are SQL of ours over the row `r`
 * and the tables joined to it; nothing of a request is ever among them.
 */
import type { AccessObject } from '../../../src/domain/access/objects.ts';

export interface ResourceKind {
  /** Whose reading it needs. */
  object: AccessObject;
  from: string;
  name: string;
  namespace: string;
  type: string;
  /** null where the kind has none: a selector that asks for it matches nothing. */
  typeMatched: string | null;
  status: string | null;
  health: string | null;
  labels: string | null;
  tags: string | null;
  icon: string | null;
  /** Shown as tags. */
  shownTags: string | null;
  agentId: string | null;
  deletedAt: string | null;
  /** Texts that a scope may name. */
  scopes: readonly string[];
  /** Keys of a field selector. */
  fields: Readonly<Record<string, string>>;
}

const named = (table: string) => [`${table}.id::text`, `concat(${table}.namespace, '/', ${table}.name)`];

export const RESOURCE_KINDS = {
  configs: {
    object: 'catalog',
    from: 'config_items r left join config_scrapers scraper on scraper.id = r.scraper_id',
    name: 'r.name',
    namespace: `r.tags ->> 'namespace'`,
    type: 'r.type',
    typeMatched: 'r.type',
    status: 'r.status',
    // An item that nobody has judged is shown as unknown.
    health: `coalesce(r.health, 'unknown')`,
    labels: 'r.labels',
    tags: 'r.tags',
    icon: null,
    shownTags: 'r.tags',
    agentId: 'r.agent_id',
    deletedAt: 'r.deleted_at',
    // Scrapers have no namespace of their own; the name of one from a cluster has it in front.
    scopes: ['scraper.id::text', 'scraper.name'],
    fields: {
      config_class: 'r.config_class',
      external_id: 'r.external_id',
      name: 'r.name',
      type: 'r.type',
      status: 'r.status',
      health: 'r.health',
      source: 'r.source',
      scraper_id: 'r.scraper_id::text',
      parent_id: 'r.parent_id::text',
      agent_id: 'r.agent_id::text',
    },
  },
  components: {
    object: 'topology',
    from: 'components r left join topologies topology on topology.id = r.topology_id',
    name: 'r.name',
    namespace: 'r.namespace',
    type: 'r.type',
    typeMatched: 'r.type',
    status: 'r.status',
    health: `coalesce(r.health, 'unknown')`,
    labels: 'r.labels',
    tags: null,
    icon: 'r.icon',
    shownTags: 'r.labels',
    agentId: 'r.agent_id',
    deletedAt: 'r.deleted_at',
    scopes: named('topology'),
    fields: {
      owner: 'r.owner',
      topology_id: 'r.topology_id::text',
      topology_type: 'r.topology_type',
      parent_id: 'r.parent_id::text',
      config_id: 'r.config_id::text',
      external_id: 'r.external_id',
      name: 'r.name',
      type: 'r.type',
      status: 'r.status',
      health: 'r.health',
      lifecycle: 'r.lifecycle',
      agent_id: 'r.agent_id::text',
    },
  },
  checks: {
    object: 'canaries',
    from: 'checks r join canaries canary on canary.id = r.canary_id',
    name: 'r.name',
    namespace: `coalesce(nullif(r.namespace, ''), canary.namespace)`,
    type: 'r.type',
    typeMatched: 'r.type',
    status: 'r.status',
    health: `coalesce(r.status, 'unknown')`,
    labels: 'r.labels',
    tags: null,
    icon: 'r.icon',
    shownTags: 'r.labels',
    agentId: 'r.agent_id',
    deletedAt: 'r.deleted_at',
    scopes: named('canary'),
    fields: {
      owner: 'r.owner',
      severity: 'r.severity',
      category: 'r.category',
      canary_id: 'r.canary_id::text',
      name: 'r.name',
      type: 'r.type',
      status: 'r.status',
      agent_id: 'r.agent_id::text',
    },
  },
  canaries: {
    object: 'canaries',
    from: 'canaries r',
    name: 'r.name',
    namespace: 'r.namespace',
    type: `'canary'`,
    typeMatched: null,
    status: null,
    health: null,
    labels: 'r.labels',
    tags: null,
    icon: null,
    shownTags: 'r.labels',
    agentId: 'r.agent_id',
    deletedAt: 'r.deleted_at',
    scopes: [],
    fields: { source: 'r.source', name: 'r.name', agent_id: 'r.agent_id::text' },
  },
  playbooks: {
    object: 'playbooks',
    from: 'playbooks r',
    name: 'r.name',
    namespace: 'r.namespace',
    type: 'r.category',
    typeMatched: 'r.category',
    status: null,
    health: null,
    labels: null,
    tags: null,
    icon: 'r.icon',
    shownTags: null,
    agentId: null,
    deletedAt: 'r.deleted_at',
    scopes: [],
    fields: { category: 'r.category', source: 'r.source::text', title: 'r.title', name: 'r.name' },
  },
  connections: {
    object: 'connection',
    from: 'connections r',
    name: 'r.name',
    namespace: 'r.namespace',
    type: 'r.type',
    typeMatched: 'r.type',
    status: null,
    health: null,
    labels: null,
    tags: null,
    icon: null,
    shownTags: null,
    agentId: null,
    deletedAt: 'r.deleted_at',
    scopes: [],
    fields: { type: 'r.type', name: 'r.name', source: 'r.source::text' },
  },
  config_changes: {
    object: 'catalog',
    from: 'config_changes r join config_items item on item.id = r.config_id',
    name: 'item.name',
    namespace: `item.tags ->> 'namespace'`,
    type: 'r.change_type',
    // People look for the changes of a kind of config.
    typeMatched: 'item.type',
    status: null,
    health: `coalesce(item.health, 'unknown')`,
    labels: null,
    tags: 'item.tags',
    icon: null,
    shownTags: 'item.tags',
    agentId: 'item.agent_id',
    deletedAt: 'item.deleted_at',
    scopes: ['item.id::text'],
    fields: {
      change_type: 'r.change_type',
      severity: 'r.severity',
      source: 'r.source',
      summary: 'r.summary',
      config_id: 'r.config_id::text',
      external_created_by: 'r.external_created_by',
    },
  },
} as const satisfies Readonly<Record<string, ResourceKind>>;

export type ResourceKindName = keyof typeof RESOURCE_KINDS;
