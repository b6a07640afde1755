/** What the server watches when nobody told it anything: itself. True from the first minute. */

/** Where this canary comes from, as shown in the app. */
export const SELF_SOURCE = 'holdfast/self';

interface SelfFacts {
  /** The server's own address. */
  url: string;
  dataDir: string;
  hostname: string;
  /** Where the database's files are, when they are ours. */
  databaseFolder: string | undefined;
}

const answers = (name: string, description: string, url: string) => ({
  name,
  description,
  url,
  responseCodes: [200],
  thresholdMillis: 2000,
});

function folders({ dataDir, databaseFolder }: SelfFacts): object[] {
  const disk = {
    name: 'holdfast/disk',
    description: 'There is room left for the data',
    path: dataDir,
    availableSize: '500MB',
  };
  if (databaseFolder === undefined) return [disk];
  return [
    disk,
    { name: 'holdfast/data', description: 'The data folder is there', path: databaseFolder, minCount: 1 },
  ];
}

/** The canary document. */
export function selfCanary(facts: SelfFacts): object {
  return {
    apiVersion: 'canaries.flanksource.com/v1',
    kind: 'Canary',
    metadata: {
      name: 'holdfast',
      namespace: 'holdfast',
      labels: { app: 'holdfast', host: facts.hostname },
    },
    spec: {
      schedule: '@every 15s',
      severity: 'high',
      http: [
        answers('holdfast/endpoint', 'This server answers over HTTP', `${facts.url}/api/healthz`),
        answers('holdfast/database', 'The database answers a query', `${facts.url}/api/readyz`),
      ],
      dns: [
        {
          name: 'holdfast/names',
          description: 'The system resolves names',
          query: 'localhost',
          querytype: 'A',
          minrecords: 1,
          thresholdMillis: 1000,
        },
      ],
      folder: folders(facts),
    },
  };
}
