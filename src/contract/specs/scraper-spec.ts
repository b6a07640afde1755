/**
 * The catalog's scrapers (schema §5.2, contract §19.9). Fields that are not named here may follow: kinds grow
 * faster than their editors.
 */
import { z } from 'zod';
import { authentication, lookup, script, secretValue, text, textMap, texts } from './spec-parts.ts';

const list = texts.optional();
const flag = z.boolean().optional();
const word = z.string().optional();

/** Where an item is also known, or belongs to: templates over the item, for items of a type. */
const named = z.looseObject({ type: word, filter: word, withParent: word, values: texts });

const transform = z.looseObject({
  ...script.shape,
  exclude: z.array(z.looseObject({ types: list, type: word, jsonpath: z.string() })).optional(),
  mask: z.array(z.looseObject({ selector: word, jsonpath: z.string(), value: text })).optional(),
  relationship: z
    .array(
      z.looseObject({
        filter: word,
        expr: word,
        parent: flag,
        id: lookup.optional(),
        external_id: lookup.optional(),
        type: lookup.optional(),
        name: lookup.optional(),
        namespace: lookup.optional(),
        agent: lookup.optional(),
        scope: lookup.optional(),
        labels: textMap.optional(),
      }),
    )
    .optional(),
  changes: z
    .looseObject({
      mapping: z
        .array(
          z.looseObject({
            filter: word,
            severity: word,
            type: word,
            action: z.enum(['delete', 'ignore']).optional(),
            summary: word,
          }),
        )
        .optional(),
      exclude: list,
    })
    .optional(),
  aliases: z.array(named).optional(),
  locations: z.array(named).optional(),
});

/** What every kind has: how an item is told from the document that was read. */
const base = {
  id: text.optional(),
  name: text.optional(),
  type: text.optional(),
  class: text.optional(),
  status: text.optional(),
  health: text.optional(),
  description: text.optional(),
  items: word,
  format: word,
  icon: word,
  createFields: list,
  deleteFields: list,
  timestampFormat: word,
  labels: textMap.optional(),
  tags: z
    .union([
      textMap,
      z.array(z.looseObject({ name: z.string(), value: text.optional(), jsonpath: word, label: word })),
    ])
    .optional(),
  properties: z
    .array(z.looseObject({ name: z.string(), filter: word, links: z.array(z.looseObject({})).optional() }))
    .optional(),
  aliases: list,
  locations: list,
  transform: transform.optional(),
};

/** What extraction reads of an entry, whatever its kind. */
export const scraperBaseSchema = z.looseObject(base);
export type ScraperBase = z.output<typeof scraperBaseSchema>;

const kind = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject({ ...base, ...shape });

const fileSelection = z.looseObject({ path: texts, format: word });

const namedValues = z.array(z.looseObject({ name: z.string(), value: text.optional() }));

const fileEntry = kind({
  url: word,
  paths: list,
  path: z.union([text, texts]).optional(),
  ignore: list,
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

const google = { connection: word, credentials: secretValue.optional(), endpoint: word };

const gcpEntry = kind({
  ...google,
  project: text.optional(),
  organization: text.optional(),
  include: list,
  exclude: list,
});
export type GcpEntry = z.output<typeof gcpEntry>;

const terraformEntry = kind({
  state: z
    .looseObject({
      local: word,
      url: word,
      connection: word,
      s3: z
        .looseObject({
          bucket: z.string(),
          objectPath: word,
          connection: word,
          accessKey: secretValue.optional(),
          secretKey: secretValue.optional(),
          region: word,
          endpoint: word,
          skipTLSVerify: flag,
          usePathStyle: flag,
        })
        .optional(),
      gcs: z.looseObject({ ...google, bucket: z.string(), objectPath: word }).optional(),
    })
    .optional(),
});
export type TerraformEntry = z.output<typeof terraformEntry>;

const slackEntry = kind({
  token: secretValue,
  since: word,
  channels: list,
  endpoint: word,
  rules: z.array(
    z.looseObject({
      regexp: z.string(),
      filter: z.looseObject({ bot: word, user: word }).optional(),
      config: z
        .array(
          z.looseObject({
            name: z.union([text, lookup]).optional(),
            external_id: z.union([text, lookup]).optional(),
            types: z.array(z.union([text, lookup])).optional(),
          }),
        )
        .optional(),
      mapping: z
        .looseObject({ type: text.optional(), severity: text.optional(), summary: text.optional() })
        .optional(),
    }),
  ),
});
export type SlackEntry = z.output<typeof slackEntry>;

/** One place where logs are, as a log backend has it. */
const logPlace = z.record(z.string(), z.unknown()).optional();

const logsEntry = kind({
  loki: logPlace,
  elasticsearch: logPlace,
  opensearch: logPlace,
  gcp: logPlace,
  cloudwatch: logPlace,
  kubernetes: logPlace,
  sql: logPlace,
  file: logPlace,
  start: word,
  end: word,
  limit: z.union([z.int(), z.string()]).optional(),
});
export type LogsEntry = z.output<typeof logsEntry>;

const clickhouseEntry = kind({
  connection: word,
  url: word,
  clickhouseURL: word,
  username: secretValue.optional(),
  password: secretValue.optional(),
  query: z.string(),
});
export type ClickhouseEntry = z.output<typeof clickhouseEntry>;

const postgresEntry = kind({
  connection: z.string(),
  auth: authentication.optional(),
  driver: word,
  permissions: flag,
});
export type PostgresEntry = z.output<typeof postgresEntry>;

const githubEntry = kind({
  connection: word,
  personalAccessToken: secretValue.optional(),
  repositories: z.array(z.looseObject({ owner: z.string(), repo: z.string(), topics: list })),
  organizations: z.array(z.looseObject({ name: z.string() })).optional(),
  security: flag,
  openssf: flag,
  scorecardURL: word,
  permissions: z.looseObject({ enabled: flag }).optional(),
});
export type GithubEntry = z.output<typeof githubEntry>;

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
