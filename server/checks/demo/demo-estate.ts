/**
 * The estate that `--demo` shows: some forty canaries with about three hundred checks of a made-up company, as
 * canary documents like anybody's. They run against demo-services.ts.
 */
import type { Behaviour, DemoServices } from './demo-services.ts';
import { hashOf } from './demo-services.ts';

/** Where the demo's canaries come from, as shown in the app. */
export const DEMO_SOURCE = 'holdfast/demo';

interface Team {
  namespace: string;
  team: string;
  tier: string;
  services: readonly string[];
}

const TEAMS: readonly Team[] = [
  {
    namespace: 'storefront',
    team: 'checkout',
    tier: 'critical',
    services: ['cart', 'checkout', 'catalog-api', 'pricing', 'promotions'],
  },
  {
    namespace: 'payments',
    team: 'payments',
    tier: 'critical',
    services: ['ledger', 'card-gateway', 'invoices', 'refunds', 'fraud-score'],
  },
  {
    namespace: 'identity',
    team: 'platform',
    tier: 'critical',
    services: ['sign-in', 'sessions', 'directory', 'consent'],
  },
  {
    namespace: 'fulfilment',
    team: 'logistics',
    tier: 'high',
    services: ['orders', 'warehouse', 'labels', 'tracking', 'returns'],
  },
  {
    namespace: 'search',
    team: 'discovery',
    tier: 'high',
    services: ['query', 'indexer', 'suggest', 'ranking'],
  },
  {
    namespace: 'data',
    team: 'data',
    tier: 'medium',
    services: ['events', 'warehouse-load', 'reports', 'exports', 'feature-store'],
  },
  {
    namespace: 'messaging',
    team: 'growth',
    tier: 'medium',
    services: ['mail', 'push', 'campaigns', 'templates'],
  },
  {
    namespace: 'edge',
    team: 'platform',
    tier: 'critical',
    services: ['ingress', 'cdn-origin', 'images', 'rate-limiter'],
  },
  {
    namespace: 'observability',
    team: 'platform',
    tier: 'low',
    services: ['metrics', 'logs', 'traces', 'alerts'],
  },
];

const ENDPOINTS = ['health', 'login', 'list', 'write', 'export'] as const;
const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
};

/** Nine of ten behave; the rest are down, slow or flaky, by name. */
function behaviourOf(name: string): Behaviour {
  const share = hashOf(name) % 100;
  if (share < 2) return 'down';
  if (share < 7) return 'flaky';
  return share < 12 ? 'slow' : 'steady';
}

function httpChecks(service: string, services: DemoServices): object[] {
  return ENDPOINTS.map((endpoint) => {
    const name = `${service}/${endpoint}`;
    const behaviour = behaviourOf(name);
    return {
      name,
      description: `${endpoint} of ${service}`,
      url: `${services.httpUrl}/${behaviour}/${service}-${endpoint}`,
      responseCodes: [200],
      ...(behaviour === 'slow' ? { thresholdMillis: 700 } : { thresholdMillis: 2000 }),
      labels: { endpoint },
    };
  });
}

function socketChecks(service: string, services: DemoServices): object {
  const name = `${service}/database`;
  const isDown = behaviourOf(name) === 'down';
  return {
    tcp: [
      {
        name,
        description: `connection to the database of ${service}`,
        endpoint: `127.0.0.1:${isDown ? services.closedPort : services.tcpPort}`,
        thresholdMillis: 500,
      },
    ],
    dns: [
      {
        name: `${service}/name`,
        description: `internal name of ${service}`,
        server: '127.0.0.1',
        port: services.dnsPort,
        query: `${service}.internal.example`,
        querytype: 'A',
        minrecords: 1,
        thresholdMillis: 500,
      },
    ],
  };
}

/** The documents, ready to be stored like any other canary. */
export function demoCanaries(services: DemoServices): object[] {
  return TEAMS.flatMap(({ namespace, team, tier, services: names }) =>
    names.map((service) => ({
      apiVersion: 'canaries.flanksource.com/v1',
      kind: 'Canary',
      metadata: {
        name: service,
        namespace,
        labels: { team, tier, region: hashOf(service) % 3 === 0 ? 'eu-west' : 'eu-central' },
      },
      spec: {
        schedule: `@every ${10 + (hashOf(service) % 5) * 5}s`,
        severity: SEVERITIES[tier],
        owner: team,
        http: httpChecks(service, services),
        ...socketChecks(service, services),
      },
    })),
  );
}
