/**
 * What the demo's scraper reads: a cluster with namespaces, deployments, pods and nodes, and the databases behind the
 * critical services, as a full document (docs/scrapers.md). A function of the clock: releases come with time, so that
 * items change while the demo runs and have a history when it begins.
 */
import { behaviourOf, DEMO_TEAMS, type DemoTeam } from './demo-company.ts';
import { CLUSTER, demoCluster, NODES, parent } from './demo-cluster.ts';
import { hashOf } from './demo-services.ts';

export const CATALOG_PATH = '/estate/catalog.json';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A service gets a release once in about this long. */
const RELEASE_EVERY_MS = 9 * HOUR_MS;
const HISTORY_MS = 6 * 24 * HOUR_MS;
const DAYS_A_MONTH = 30;

const iso = (timeMs: number) => new Date(timeMs).toISOString();
/** One of the list, always the same for the name. */
const oneOf = <T>(list: readonly T[], name: string): T | undefined => list[hashOf(name) % list.length];

/** The external id of a service's deployment in the cluster. */
export const deploymentId = (service: string) => `deployment/${service}`;

interface Service extends Pick<DemoTeam, 'namespace' | 'team' | 'tier'> {
  service: string;
  nowMs: number;
}

const tagsOf = ({ namespace }: Pick<Service, 'namespace'>) => ({ cluster: CLUSTER, namespace });

/** The times at which the service got a release, newest first. */
function releasesOf({ service, nowMs }: Service): number[] {
  const offsetMs = hashOf(`${service}/release`) % RELEASE_EVERY_MS;
  const newest = Math.floor((nowMs - offsetMs) / RELEASE_EVERY_MS);
  const count = Math.floor(HISTORY_MS / RELEASE_EVERY_MS);
  return Array.from({ length: count }, (_, back) => (newest - back) * RELEASE_EVERY_MS + offsetMs);
}

/** A release's number grows with time. */
const versionOf = (releasedMs: number) => `2.${Math.floor(releasedMs / RELEASE_EVERY_MS) % 1000}.0`;
const imageOf = (service: string, releasedMs: number) =>
  `registry.demo.example/${service}:${versionOf(releasedMs)}`;

function releaseChange(from: Service, releasedMs: number): object {
  const { service } = from;
  return {
    external_change_id: `${service}/release/${releasedMs}`,
    change_type: 'Deployment',
    severity: 'info',
    source: 'GitHub',
    created_by: oneOf(['ada.berg', 'mei.lin', 'release-bot'], `${service}${releasedMs}`),
    created_at: iso(releasedMs),
    summary: `Released ${imageOf(service, releasedMs)}`,
    details: { from: imageOf(service, releasedMs - RELEASE_EVERY_MS), to: imageOf(service, releasedMs) },
  };
}

function restartChange({ service, nowMs }: Service): object[] {
  if (hashOf(`${service}/restart`) % 4 !== 0) return [];
  const atMs = Math.floor(nowMs / (6 * HOUR_MS)) * 6 * HOUR_MS + (hashOf(service) % HOUR_MS);
  if (atMs > nowMs) return [];
  return [
    {
      external_change_id: `${service}/restart/${atMs}`,
      change_type: 'OOMKilled',
      severity: 'high',
      source: 'Kubernetes',
      created_at: iso(atMs),
      summary: `A container of ${service} was over its memory limit and was started again`,
    },
  ];
}

interface Finding {
  analyzer: string;
  analysis_type: string;
  severity: string;
  summary: string;
}

const FINDINGS: readonly Finding[] = [
  {
    analyzer: 'run-as-root',
    analysis_type: 'security',
    severity: 'high',
    summary: 'The container runs as root',
  },
  {
    analyzer: 'memory-limit',
    analysis_type: 'reliability',
    severity: 'medium',
    summary: 'Memory use is above 90 % of the limit',
  },
  {
    analyzer: 'over-provisioned',
    analysis_type: 'cost',
    severity: 'low',
    summary: 'Less than a tenth of the requested CPU is used',
  },
];

function findingsOf({ service, nowMs }: Service): object[] {
  const found = hashOf(`${service}/finding`) % 10;
  const finding = FINDINGS[found];
  if (finding === undefined) return [];
  const day = Math.floor(nowMs / (24 * HOUR_MS)) * 24 * HOUR_MS;
  return [
    {
      ...finding,
      status: 'open',
      source: 'demo',
      message: `${finding.summary}: deployment ${service}`,
      first_observed: iso(day - (found + 1) * 24 * HOUR_MS),
      last_observed: iso(nowMs),
    },
  ];
}

function healthOf(service: string): { health: string; status: string } {
  const behaviours = ['health', 'login', 'list', 'write', 'export'].map((endpoint) =>
    behaviourOf(`${service}/${endpoint}`),
  );
  if (behaviours.includes('down')) return { health: 'unhealthy', status: 'CrashLoopBackOff' };
  if (behaviours.includes('slow')) return { health: 'warning', status: 'Degraded' };
  return { health: 'healthy', status: 'Running' };
}

function deployment(from: Service): object {
  const { service, namespace, team, tier } = from;
  const releases = releasesOf(from);
  const [released = from.nowMs] = releases;
  const perMinute = (1 + (hashOf(`${service}/cost`) % 90)) / 10_000;
  const day = perMinute * 24 * 60;
  return {
    id: deploymentId(service),
    config_type: 'Kubernetes::Deployment',
    config_class: 'Deployment',
    name: service,
    ...healthOf(service),
    tags: tagsOf(from),
    labels: { app: service, team, tier },
    created_at: iso(released - HISTORY_MS * 20),
    parents: parent('Kubernetes::Namespace', `namespace/${namespace}`),
    cost_per_minute: perMinute,
    cost_total_1d: day,
    cost_total_7d: day * 7,
    cost_total_30d: day * DAYS_A_MONTH,
    config: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: service, namespace, labels: { app: service, team, tier } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: service } },
        template: {
          metadata: { labels: { app: service } },
          spec: {
            containers: [
              {
                name: service,
                image: imageOf(service, released),
                ports: [{ containerPort: 8080 }],
                resources: {
                  requests: { cpu: '100m', memory: '256Mi' },
                  limits: { memory: tier === 'critical' ? '1Gi' : '512Mi' },
                },
              },
            ],
          },
        },
      },
    },
    changes: [...releases.map((releasedMs) => releaseChange(from, releasedMs)), ...restartChange(from)],
    analysis: findingsOf(from),
  };
}

function pods(from: Service): object[] {
  const { service, namespace, team } = from;
  return [1, 2].map((replica) => {
    const name = `${service}-${hashOf(`${service}${replica}`).toString(36).slice(0, 5)}`;
    const node = oneOf(NODES, name) ?? NODES[0];
    return {
      id: `pod/${service}/${replica}`,
      config_type: 'Kubernetes::Pod',
      config_class: 'Pod',
      name,
      ...healthOf(service),
      tags: tagsOf(from),
      labels: { app: service, team },
      parents: parent('Kubernetes::Deployment', deploymentId(service)),
      relationships: [{ type: 'Kubernetes::Node', external_id: `node/${node}`, relation: 'NodePod' }],
      config: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace, labels: { app: service } },
        spec: { nodeName: node },
        status: { phase: 'Running' },
      },
    };
  });
}

function databaseOf(from: Service): object[] {
  const { service, tier, namespace } = from;
  if (tier !== 'critical') return [];
  return [
    {
      id: `database/${service}`,
      config_type: 'AWS::RDS::DBInstance',
      config_class: 'RelationalDatabase',
      name: `${service}-db`,
      health: 'healthy',
      status: 'available',
      tags: { account: 'production', region: 'eu-central-1' },
      labels: { service },
      cost_total_30d: 40 + (hashOf(service) % 200),
      relationships: [
        {
          type: 'Kubernetes::Deployment',
          external_id: deploymentId(service),
          relation: 'DeploymentDatabase',
          direction: 'in',
        },
      ],
      config: {
        DBInstanceIdentifier: `${service}-db`,
        DBInstanceClass: 'db.t4g.medium',
        Engine: 'postgres',
        EngineVersion: '16.4',
        DBInstanceStatus: 'available',
        MultiAZ: namespace === 'payments',
      },
    },
  ];
}

/** Every item with its changes and findings, as it is at that moment. */
export function demoCatalog(nowMs: number): object[] {
  const services = DEMO_TEAMS.flatMap(({ services: names, ...team }) =>
    names.map((service) => ({ ...team, service, nowMs })),
  );
  return [
    ...demoCluster(),
    ...services.flatMap((service) => [deployment(service), ...pods(service), ...databaseOf(service)]),
  ];
}

/** The scraper that reads it, as a document like anybody's. */
export function demoScraper(httpUrl: string): object {
  return {
    apiVersion: 'configs.flanksource.com/v1',
    kind: 'ScrapeConfig',
    metadata: { name: 'production-eu', namespace: 'demo' },
    spec: {
      full: true,
      schedule: '@every 2m',
      http: [{ url: `${httpUrl}${CATALOG_PATH}` }],
    },
  };
}
