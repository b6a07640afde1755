/** Rows of the width that the demo's have (bytes of JSON a row: checks 1,044, canaries 353, components 724 …). */
import type { ReplicatedRow } from '../../src/contract/collections.ts';

const NOW = 1_790_000_000_000;
const idOf = (at: number) =>
  `${(Math.imul(at + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`;
const timeOf = (at: number) => new Date(NOW - at * 61_000).toISOString();
const labelsOf = (at: number) => ({
  app: `app-${at % 40}`,
  env: 'production',
  team: `team-${at % 12}`,
  tier: 'internal',
  region: `r${at % 5}`,
});

interface Kind {
  /** Realistic numbers of rows. */
  sizes: readonly number[];
  make: (at: number) => Record<string, unknown>;
}

const COMMON = ['name', 'namespace', 'source', 'updated_at', 'deleted_at'];

/** The six collections that change and that people look at. */
export const KINDS = {
  checks: {
    sizes: [1000, 10_000],
    make: (at) => ({
      canary_id: idOf(at % 300),
      canary_name: `gateway-cache-${at % 300}`,
      name: `gateway-cache-${at} resolves`,
      namespace: 'kube-system',
      type: 'http',
      endpoint: `https://gateway-${at}.example.net/healthz`,
      owner: 'atlas',
      severity: 'critical',
      labels: labelsOf(at),
      status: at % 9 === 0 ? 'unhealthy' : 'healthy',
      uptime: { passed: at % 50, failed: at % 7, last_pass: timeOf(at), last_fail: timeOf(at + 9) },
      latency: { p99: at % 1500, p95: at % 1200, p50: at % 300, avg: at % 600 },
      agent_id: idOf(0),
      agent_name: 'local',
      last_runtime: timeOf(at),
      next_runtime: timeOf(at),
      last_transition_time: timeOf(at),
      created_at: timeOf(at),
      updated_at: timeOf(at),
      deleted_at: null,
    }),
  },
  canaries: {
    sizes: [300, 1000],
    make: (at) => ({
      name: `checkout-cache-${at}`,
      namespace: 'monitoring',
      labels: labelsOf(at),
      source: 'UI',
      agent_id: idOf(0),
      updated_at: timeOf(at),
      deleted_at: null,
      job_status: null,
      error: null,
    }),
  },
  components: {
    sizes: [1000, 10_000],
    make: (at) => ({
      topology_id: idOf(at % 9),
      external_id: `gateway db ${at}`,
      parent_id: idOf(at >> 3),
      name: `gateway db ${at}`,
      namespace: 'production',
      labels: labelsOf(at),
      status: 'healthy',
      health: 'healthy',
      type: 'Application',
      properties: [{ name: 'cpu', value: at % 100, unit: 'millicores' }],
      path: `${idOf(at >> 6)}.${idOf(at >> 3)}`,
      summary: { healthy: at % 20, unhealthy: at % 3 },
      agent_id: idOf(0),
      created_at: timeOf(at),
      updated_at: timeOf(at),
    }),
  },
  playbooks: {
    sizes: [100],
    make: (at) => ({
      namespace: 'default',
      name: `restart-${at}`,
      title: `Restart the pods of service ${at}`,
      icon: 'restart',
      description: 'Deletes the pods one by one and waits for each to be ready again.',
      category: 'Kubernetes',
      source: 'UI',
      created_by: idOf(1),
      created_at: timeOf(at),
      updated_at: timeOf(at),
      deleted_at: null,
    }),
  },
  resources: {
    sizes: [1000],
    make: (at) => ({
      kind: 'scraper',
      name: `scraper-${at}`,
      namespace: 'default',
      source: 'UI',
      labels: labelsOf(at),
      created_by: idOf(1),
      created_at: timeOf(at),
      updated_at: timeOf(at),
    }),
  },
  notification_history: {
    sizes: [20_000],
    make: (at) => ({
      notification_id: idOf(at % 20),
      resource_id: idOf(at % 900),
      resource_kind: 'check',
      resource_name: `gateway-cache-${at % 900}`,
      source_event: 'check.failed',
      status: at % 3 === 0 ? 'sent' : 'silenced',
      count: 1 + (at % 4),
      person_id: idOf(1),
      error: null,
      first_observed: timeOf(at + 5),
      created_at: timeOf(at),
    }),
  },
} satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** That many rows; `round` makes them other rows of the same ids. */
export function rowsOf(kind: KindName, count: number, round = 0): ReplicatedRow[] {
  return Array.from({ length: count }, (_, at) => ({
    id: idOf(at),
    ...KINDS[kind].make(at),
    round: `round ${round}`,
  }));
}

/** Columns of text for a RxDB schema. */
export function columnsOf(kind: KindName): string[] {
  return [...new Set([...COMMON, ...Object.keys(KINDS[kind].make(0)), 'round'])];
}
