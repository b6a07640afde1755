/**
 * The checks that `--demo` shows: some forty canaries with about three hundred checks of a made-up company, as
 * canary documents like anybody's. They run against demo-services.ts.
 */
import { DEMO_TEAMS, behaviourOf } from './demo-company.ts';
import type { DemoServices } from './demo-services.ts';
import { hashOf } from './demo-services.ts';

const ENDPOINTS = ['health', 'login', 'list', 'write', 'export'] as const;
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
  return DEMO_TEAMS.flatMap(({ namespace, team, tier, services: names }) =>
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
        severity: tier,
        owner: team,
        http: httpChecks(service, services),
        ...socketChecks(service, services),
      },
    })),
  );
}
