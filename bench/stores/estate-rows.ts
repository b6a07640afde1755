/** Rows of an estate as devices keep them: the columns of the feed's views, in the width that the demo's have. */
import type { ReplicatedRow } from '../../src/contract/collections.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const idOf = (at: number, kind = 0) =>
  `${(Math.imul(at + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-0000-4${kind}00-8000-${String(at).padStart(12, '0')}`;
const timeOf = (at: number) => new Date(NOW - at * 61_000).toISOString();
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

const TYPES = [
  'Kubernetes::Pod',
  'Kubernetes::Deployment',
  'AWS::EC2::Instance',
  'AWS::RDS',
  'MissionControl::Job',
];

export function checkRow(at: number): ReplicatedRow {
  return {
    id: idOf(at),
    canary_id: idOf(at % 300, 1),
    canary_name: `gateway-cache-${at % 300}`,
    name: `gateway-${at} resolves`,
    namespace: `team-${at % 12}`,
    type: pick(['http', 'tcp', 'dns', 'icmp'], at),
    description: '',
    endpoint: `https://gateway-${at}.example.net/healthz`,
    owner: 'atlas',
    severity: 'critical',
    icon: null,
    labels: {
      app: `app-${at % 40}`,
      env: 'production',
      team: `team-${at % 12}`,
      tier: 'internal',
      region: `r${at % 5}`,
    },
    status: at % 9 === 0 ? 'unhealthy' : 'healthy',
    uptime: { passed: at % 50, failed: at % 7, last_pass: timeOf(at), last_fail: timeOf(at + 9) },
    latency: { p99: at % 1500, p95: at % 1200, p50: at % 300, avg: at % 600 },
    agent_id: idOf(0, 2),
    agent_name: 'local',
    last_runtime: new Date(NOW - 10_000).toISOString(),
    next_runtime: new Date(NOW + 20_000).toISOString(),
    last_transition_time: timeOf(at),
    created_at: timeOf(at),
    updated_at: timeOf(at),
    deleted_at: null,
    silenced_at: null,
  };
}

export function configRow(at: number): ReplicatedRow {
  const name = `${pick(['checkout', 'api', 'billing', 'search'], at)}-${pick(['worker', 'web', 'cache'], at)}-${at}`;
  return {
    id: idOf(at),
    scraper_id: idOf(at % 7, 3),
    config_class: pick(['Pod', 'Deployment', 'VirtualMachine', 'Database', 'Job'], at * 7),
    external_id: [`arn:aws:thing/${at}`],
    type: pick(TYPES, at * 7),
    name,
    description: null,
    source: 'https://example.net/cluster.yaml',
    labels: { app: `app-${at % 500}`, team: `team-${at % 40}` },
    tags: { cluster: `cluster-${at % 8}`, namespace: `ns-${at % 60}` },
    status: pick(['Running', 'Failing', 'Pending'], at),
    health: pick(['healthy', 'healthy', 'unhealthy', 'warning', null], at),
    ready: true,
    parent_id: idOf(at >> 4),
    path: `${idOf(at >> 8)}.${idOf(at >> 4)}`,
    cost_per_minute: null,
    cost_total_1d: at % 17,
    cost_total_7d: at % 91,
    cost_total_30d: at % 400,
    agent_id: idOf(0, 2),
    created_by: null,
    created_at: timeOf(at),
    updated_at: timeOf(at % 9000),
    deleted_at: at % 50 === 0 ? timeOf(60) : null,
    delete_reason: null,
  };
}

export function changeRow(at: number): ReplicatedRow {
  return {
    id: idOf(at, 4),
    config_id: idOf((at * 7) % 50_000),
    external_change_id: `change-${at}`,
    external_created_by: null,
    change_type: pick(['diff', 'Pulled', 'Scaling', 'Restart'], at),
    severity: 'info',
    source: 'kubernetes',
    summary: `replicas changed ${at % 9}`,
    created_by: null,
    created_at: new Date(NOW - (at % 600) * 1_000_000).toISOString(),
    count: 1,
    first_observed: timeOf(at),
  };
}

export function incidentRow(at: number): ReplicatedRow {
  const status = at % 2 === 0 ? 'open' : pick(['investigating', 'mitigated', 'resolved', 'closed'], at >> 1);
  return {
    id: idOf(at, 5),
    incident_id: `INC-${at}`,
    title: `${pick(['checkout', 'ingress', 'backup', 'queue'], at)} ${pick(['cache', 'worker', 'database'], at)} is ${pick(['slow', 'down', 'out of memory'], at >> 2)}`,
    description: '',
    type: pick(['availability', 'cost', 'performance', 'security'], at),
    severity: pick(['low', 'medium', 'high', 'critical'], at),
    status,
    resolved: null,
    closed: null,
    created_by: idOf(at % 20, 6),
    commander_id: idOf(at % 17, 6),
    communicator_id: null,
    created_at: new Date(NOW - ((at * 104_729) % 10_000) * 500_000).toISOString(),
    updated_at: timeOf(at),
  };
}

/** What hangs on an incident: eight rows. */
export function recordRows(incident: number): ReplicatedRow[] {
  const kinds = [
    'hypothesis',
    'hypothesis',
    'evidence',
    'comment',
    'comment',
    'responder',
    'history',
    'history',
  ];
  return kinds.map((kind, at) => {
    const base = {
      id: idOf(incident * 8 + at, 7),
      kind,
      incident_id: idOf(incident, 5),
      created_by: idOf((incident + at) % 20, 6),
      created_at: new Date(NOW - (incident % 60) * DAY_MS - at * 1000).toISOString(),
      updated_at: timeOf(incident),
    };
    switch (kind) {
      case 'hypothesis':
        return {
          ...base,
          parent_id: null,
          title: 'Memory leak in the cache',
          type: 'root',
          status: 'possible',
        };
      case 'evidence':
        return {
          ...base,
          hypothesis_id: idOf(incident * 8, 7),
          type: 'comment',
          description: 'Seen in the log of the last deployment',
          evidence: { comment: 'Seen in the log of the last deployment' },
          definition_of_done: false,
          done: null,
          component_id: null,
        };
      case 'comment':
        return { ...base, comment: 'Restarted the pods, looks better now', external_created_by: null };
      case 'responder':
        return { ...base, type: 'person', person_id: idOf(incident % 20, 6), team_id: null, properties: {} };
      default:
        return { ...base, type: 'incident.status_updated', description: 'open' };
    }
  });
}
