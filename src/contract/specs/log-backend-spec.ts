/**
 * What a log backend says: one place where logs are kept, and whose they are. `$(labels.app)`, `$(id)`, `$(name)`,
 * `$(type)` and `$(namespace)` stand for what a component's selector says; each kind puts them in as a value of its own
 * syntax (docs/logs.md).
 */
import { z } from 'zod';
import { filePattern } from './file-patterns.ts';
import { authentication, secretValue, text, textMap } from './spec-parts.ts';

const filled = z.string().min(1, 'is required');

const route = z.strictObject({
  type: z.string().optional().describe('Types of components, with ! and *'),
  idPrefix: z.string().optional().describe('How outer ids of components begin'),
  labels: textMap.optional().describe('Labels of the selector, values with ! and *'),
});

const place = {
  connection: z.string().optional().describe('A connection, as connection://namespace/name'),
  url: z.string().optional().describe('Its address, where no connection says it'),
  ...authentication.shape,
  bearer: secretValue.optional(),
  insecureSkipVerify: z.boolean().optional(),
};

const file = z.strictObject({
  paths: z
    .array(filePattern)
    .min(1)
    .describe('Files below LOGS_DIR, with * and **; $(labels.app) is filled with one part of a path'),
  labels: textMap.optional().describe('Labels of every line of these files'),
});

const sql = z.strictObject({
  connection: filled.describe('A connection, or postgres://host:5432/database; also mysql: and sqlserver:'),
  driver: z.enum(['postgres', 'postgresql', 'mysql', 'mssql', 'sqlserver', 'sql_server']).optional(),
  auth: authentication.optional(),
  query: filled.describe(
    'One statement with the columns timestamp, message and labels or any other; $(start), $(end), $(limit) and $(labels.app) are parameters of it',
  ),
});

const loki = z.strictObject({
  ...place,
  query: z.string().optional().describe('Stream selector such as {cluster="eu"}; the labels come besides'),
  labels: textMap.optional().describe("Loki's name of a label of selectors"),
  tenant: z.string().optional().describe('X-Scope-OrgID'),
});

const elastic = z.strictObject({
  ...place,
  index: filled.describe('Index, alias or pattern'),
  fields: z
    .strictObject({
      timestamp: z.string().optional(),
      message: z.string().optional(),
      labels: z
        .string()
        .optional()
        .describe('What stands before the name of a label, such as kubernetes.labels.'),
    })
    .optional(),
  query: z.string().optional().describe('A query string that every line has to fit'),
});

const kubernetes = z.strictObject({
  kubeconfig: secretValue.optional(),
  namespace: z.string().optional().describe("By default the component's own"),
  container: z.string().optional().describe('By default all of a pod'),
});

const cloudwatch = z.strictObject({
  connection: z.string().optional(),
  accessKey: secretValue.optional(),
  secretKey: secretValue.optional(),
  region: text.optional(),
  endpoint: z.string().optional(),
  assumeRole: z.string().optional(),
  skipTLSVerify: z.boolean().optional(),
  logGroup: filled,
  logStreamPrefix: z.string().optional(),
});

const gcp = z.strictObject({
  connection: z
    .string()
    .optional()
    .describe('A connection whose certificate is the key of a service account'),
  credentials: secretValue.optional().describe('The key of a service account, as JSON'),
  project: filled.describe('Whose logs are read'),
  filter: z.string().optional().describe('What every line has to fit, in the Logging query language'),
  labels: textMap
    .optional()
    .describe(
      'The field of a label of selectors, such as labels."k8s-pod/app"; by default labels of that name',
    ),
  endpoint: z.string().optional().describe('By default https://logging.googleapis.com'),
});

/** The kinds, by their name in the specification. */
export const LOG_BACKENDS = {
  file,
  sql,
  loki,
  elasticsearch: elastic,
  opensearch: elastic,
  kubernetes,
  cloudwatch,
  gcp,
} as const;
export type LogBackendKindName = keyof typeof LOG_BACKENDS;
export const LOG_BACKEND_KINDS = Object.keys(LOG_BACKENDS) as readonly LogBackendKindName[];

export const logBackendSpecSchema = z
  .strictObject({
    routes: z.array(route).optional().describe('Whose logs these are; without it those of every component'),
    file: file.optional(),
    sql: sql.optional(),
    loki: loki.optional(),
    elasticsearch: elastic.optional(),
    opensearch: elastic.optional(),
    kubernetes: kubernetes.optional(),
    cloudwatch: cloudwatch.optional(),
    gcp: gcp.optional(),
  })
  .refine((spec) => LOG_BACKEND_KINDS.filter((kind) => spec[kind] !== undefined).length === 1, {
    message: `Name one place where the logs are: ${LOG_BACKEND_KINDS.join(', ')}`,
  });
export type LogBackendSpec = z.output<typeof logBackendSpecSchema>;
export type FileSpec = z.output<typeof file>;
export type SqlSpec = z.output<typeof sql>;
export type LokiSpec = z.output<typeof loki>;
export type ElasticSpec = z.output<typeof elastic>;
export type KubernetesSpec = z.output<typeof kubernetes>;
export type CloudwatchSpec = z.output<typeof cloudwatch>;
export type GcpSpec = z.output<typeof gcp>;
