/**
 * The catalog's scrapers (schema §5.2, contract §19.9). Fields that are not named here may follow: kinds grow
 * faster than their editors.
 */
import { z } from 'zod';
import { looseFilePattern } from './file-patterns.ts';
import { flag, kind, list, word } from './scraper-entry.ts';
import {
  gcpEntry,
  terraformEntry,
  slackEntry,
  logsEntry,
  clickhouseEntry,
  postgresEntry,
  githubEntry,
} from './scraper-services.ts';
import { authentication, lookup, secretValue, text, textMap, texts } from './spec-parts.ts';

const fileSelection = z.looseObject({ path: texts, format: word });

const namedValues = z.array(z.looseObject({ name: z.string(), value: text.optional() }));

const fileEntry = kind({
  url: word,
  paths: z.array(looseFilePattern).optional(),
  path: z.union([looseFilePattern, z.array(looseFilePattern)]).optional(),
  ignore: z.array(looseFilePattern).optional(),
  connection: word,
});
export type FileEntry = z.output<typeof fileEntry>;

const httpEntry = kind({
  url: word,
  connection: word,
  method: word,
  body: word,
  pagination: z
    .looseObject({
      nextPageExpr: z.string(),
      reduceExpr: word,
      maxPages: z.int().optional(),
      perPageDelay: word,
    })
    .optional(),
  headers: z.union([textMap, namedValues]).optional(),
  env: namedValues.optional(),
  auth: authentication.optional(),
  authentication: authentication.optional(),
  username: secretValue.optional(),
  password: secretValue.optional(),
  bearer: secretValue.optional(),
  oauth: z
    .looseObject({
      clientID: secretValue,
      clientSecret: secretValue,
      tokenURL: z.string(),
      scope: list,
      params: textMap.optional(),
    })
    .optional(),
  tls: z
    .looseObject({
      insecureSkipVerify: flag,
      ca: secretValue.optional(),
      cert: secretValue.optional(),
      key: secretValue.optional(),
    })
    .optional(),
});
export type HttpEntry = z.output<typeof httpEntry>;

const sqlEntry = kind({
  connection: z.string(),
  auth: authentication.optional(),
  driver: word,
  query: z.string(),
});
export type SqlEntry = z.output<typeof sqlEntry>;

const execEntry = kind({
  script: z.string(),
  env: namedValues.optional(),
  timeout: z.union([z.int(), z.string()]).optional(),
});
export type ExecEntry = z.output<typeof execEntry>;

/** Each kind's entry, by its key in the specification. */
export const SCRAPER_KINDS = {
  kubernetes: kind({
    clusterName: text,
    namespace: word,
    scope: word,
    since: word,
    selector: word,
    fieldSelector: word,
    maxInflight: z.int().optional(),
    useCache: flag,
    allowIncomplete: flag,
    kubeconfig: secretValue.optional(),
    watch: z.array(z.looseObject({ apiVersion: z.string(), kind: z.string() })).optional(),
    live: flag.describe('Follow changes between scrapes; on unless it is false'),
    event: z
      .looseObject({
        exclusions: z.looseObject({ name: list, namespace: list, reason: list }).optional(),
        severityKeywords: z.looseObject({ warn: list, error: list }).optional(),
      })
      .optional(),
    exclusions: z
      .union([texts, z.looseObject({ name: list, kind: list, namespace: list, labels: textMap.optional() })])
      .optional(),
    relationships: z
      .array(
        z.looseObject({ kind: lookup.optional(), name: lookup.optional(), namespace: lookup.optional() }),
      )
      .optional(),
  }),
  kubernetesFile: kind({
    kubeconfig: secretValue.optional(),
    selector: z
      .looseObject({ namespace: word, kind: word, name: word, labelSelector: word, fieldSelector: word })
      .optional(),
    container: word,
    files: z.array(fileSelection).optional(),
  }),
  aws: kind({
    connection: word,
    accessKey: secretValue.optional(),
    secretKey: secretValue.optional(),
    assumeRole: word,
    region: list,
    endpoint: word,
    skipTLSVerify: flag,
    compliance: flag,
    trusted_advisor_check: flag,
    cloudtrail: z.looseObject({ exclude: list, maxAge: word }).optional(),
    include: list,
    exclude: list,
    costReporting: z
      .looseObject({ s3BucketPath: word, table: word, database: word, region: word })
      .optional(),
  }),
  gcp: gcpEntry,
  azure: kind({
    connection: word,
    subscriptionID: text,
    organisation: text.optional(),
    clientID: secretValue.optional(),
    clientSecret: secretValue.optional(),
    tenantID: text.optional(),
    exclusions: z.looseObject({ activityLogs: list }).optional(),
  }),
  azureDevops: kind({
    connection: word,
    organization: word,
    personalAccessToken: secretValue.optional(),
    projects: texts,
    pipelines: texts,
  }),
  githubActions: kind({
    owner: text,
    repository: text,
    personalAccessToken: secretValue.optional(),
    workflows: list,
    connection: word,
  }),
  file: fileEntry,
  http: httpEntry,
  sql: sqlEntry,
  exec: execEntry,
  trivy: kind({
    version: text.optional(),
    compliance: list,
    ignoredLicenses: list,
    ignoreUnfixed: flag,
    licenseFull: flag,
    severity: list,
    vulnType: list,
    scanners: list,
    timeout: word,
    kubernetes: z
      .looseObject({ components: list, context: word, kubeconfig: word, namespace: word })
      .optional(),
  }),
  terraform: terraformEntry,
  slack: slackEntry,
  logs: logsEntry,
  clickhouse: clickhouseEntry,
  postgres: postgresEntry,
  github: githubEntry,
};

const entries = Object.entries(SCRAPER_KINDS).map(([key, shape]) => [key, z.array(shape).optional()]);

/** What a specification says of the whole, beside its kinds. */
export const scraperSettingsSchema = z.looseObject({
  logLevel: word,
  schedule: word,
  crdSync: flag,
  full: flag,
  retention: z
    .looseObject({
      changes: z.array(z.looseObject({ name: z.string(), age: word, count: z.int().optional() })).optional(),
      types: z
        .array(z.looseObject({ name: z.string(), createdAge: word, updatedAge: word, deletedAge: word }))
        .optional(),
      staleItemAge: word,
    })
    .optional(),
});

/** A scraper's whole specification. */
export const scraperSpecSchema = z.looseObject({
  ...scraperSettingsSchema.shape,
  ...(Object.fromEntries(entries) as Record<string, z.ZodType>),
});
