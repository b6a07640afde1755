/** What the server watches when nobody told it anything: itself. True from the first minute. */
import { join } from 'node:path';

/** Where this canary comes from, as shown in the app. */
export const SELF_SOURCE = 'holdfast/self';

/** The canary document; `url` is the server's own address. */
export function selfCanary(facts: {
  url: string;
  dataDir: string;
  hostname: string;
  isFileDatabase: boolean;
}): object {
  const { url, dataDir, hostname, isFileDatabase } = facts;
  return {
    apiVersion: 'canaries.flanksource.com/v1',
    kind: 'Canary',
    metadata: { name: 'holdfast', namespace: 'holdfast', labels: { app: 'holdfast', host: hostname } },
    spec: {
      schedule: '@every 15s',
      severity: 'high',
      http: [
        {
          name: 'holdfast/endpoint',
          description: 'This server answers over HTTP',
          url: `${url}/api/healthz`,
          responseCodes: [200],
          thresholdMillis: 2000,
        },
        {
          name: 'holdfast/database',
          description: 'The database answers a query',
          url: `${url}/api/readyz`,
          responseCodes: [200],
          thresholdMillis: 2000,
        },
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
      folder: [
        {
          name: 'holdfast/disk',
          description: 'There is room left for the data',
          path: dataDir,
          availableSize: '500MB',
        },
        ...(isFileDatabase
          ? [
              {
                name: 'holdfast/data',
                description: 'The data folder is there',
                path: join(dataDir, 'pglite'),
                minCount: 1,
              },
            ]
          : []),
      ],
    },
  };
}
