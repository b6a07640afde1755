/**
 * The shapes of the checks that run here, as canary documents write them (schema §4.1). Unknown fields are an
 * error of the document: a mistyped threshold that is silently ignored would be a check that cannot fail.
 */
import { z } from 'zod';
import { parseDuration, parseSize } from '../../../src/domain/check/duration.ts';

const scalarToText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
/** YAML reads `on`, `1.10` and `8080` as other things than the text that was meant. */
const text = z.preprocess(scalarToText, z.string());
const required = z.preprocess(scalarToText, z.string().trim().min(1, 'is required'));

const keyRef = z.strictObject({ name: required, key: required });

/** A value, or where it is kept. */
export const valueSchema = z.union([
  text.transform((value) => ({ value })),
  z.strictObject({
    name: text.optional(),
    value: text.optional(),
    valueFrom: z
      .strictObject({
        secretKeyRef: keyRef.optional(),
        configMapKeyRef: keyRef.optional(),
        helmRef: z.unknown().optional(),
        serviceAccount: z.string().optional(),
      })
      .optional(),
  }),
]);
export type SecretValue = z.output<typeof valueSchema>;

const scriptSchema = z.strictObject({
  template: z.string().optional(),
  expr: z.string().optional(),
  jsonPath: z.string().optional(),
  javascript: z.string().optional(),
});

const labels = z.record(z.string(), text);
const count = z.number().int().min(0);
const port = z.number().int().min(1).max(65_535);
const namedValues = z.array(z.intersection(z.object({ name: required }), valueSchema));

const common = {
  name: text.optional(),
  description: text.optional(),
  namespace: z.string().optional(),
  icon: z.string().optional(),
  endpoint: z.string().optional(),
  labels: labels.nullish(),
  owner: text.optional(),
  severity: z.string().optional(),
  transformDeleteStrategy: z.enum(['MarkHealthy', 'MarkUnhealthy', 'Ignore']).optional(),
  metrics: z.array(z.unknown()).optional(),
  relationships: z.unknown().optional(),
  dependsOn: z.array(z.string()).optional(),
};

const scripts = {
  test: scriptSchema.optional(),
  display: scriptSchema.optional(),
  transform: scriptSchema.optional(),
};

const connection = {
  connection: z.string().optional(),
  url: z.string().optional(),
  username: valueSchema.optional(),
  password: valueSchema.optional(),
};

const httpFields = z.strictObject({
  ...common,
  ...scripts,
  ...connection,
  method: z.string().optional(),
  body: z.string().optional(),
  templateBody: z.boolean().optional(),
  headers: namedValues.optional(),
  env: namedValues.optional(),
  responseCodes: z.array(z.number().int('must be a whole number')).nullish(),
  responseContent: z.string().optional(),
  responseJSONContent: z.unknown().optional(),
  maxSSLExpiry: z.number().min(0).optional(),
  thresholdMillis: count.optional(),
  /** ms */
  timeout: count.optional(),
  maxRedirects: count.max(20).optional(),
  ntlm: z.boolean().optional(),
  ntlmv2: z.boolean().optional(),
  digest: z.boolean().optional(),
  // As the product's form writes a sign-in.
  basic: z.boolean().optional(),
  authentication: z
    .strictObject({ username: valueSchema.optional(), password: valueSchema.optional() })
    .optional(),
  oauth2: z
    .strictObject({
      scope: z.array(z.string()).optional(),
      tokenURL: z.string(),
      params: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  tlsConfig: z
    .strictObject({
      insecureSkipVerify: z.boolean().optional(),
      handshakeTimeout: z.union([z.string(), z.number()]).optional(),
      ca: valueSchema.optional(),
      cert: valueSchema.optional(),
      key: valueSchema.optional(),
    })
    .optional(),
  awsSigV4: z
    .strictObject({
      accessKey: valueSchema,
      secretKey: valueSchema,
      region: z.string(),
      service: z.string(),
      sessionToken: valueSchema.optional(),
    })
    .optional(),
  crawl: z.unknown().optional(),
});

const httpSchema = httpFields.refine(
  (spec) => [spec.url, spec.endpoint, spec.connection].some((value) => (value ?? '').trim() !== ''),
  { path: ['url'], message: 'is required' },
);

const HOST_AND_PORT = /^(?:tcp:\/\/)?(\[[^\]]+\]|[^\s:/]+):\d{1,5}$/;
const tcpSchema = z.strictObject({
  ...common,
  ...scripts,
  endpoint: required.refine(
    (value) => value === '' || HOST_AND_PORT.test(value),
    'must be host:port, such as db.example.com:5432',
  ),
  thresholdMillis: count.optional(),
});

export const DNS_TYPES = ['A', 'AAAA', 'CNAME', 'SRV', 'MX', 'PTR', 'TXT', 'NS'] as const;
const dnsSchema = z.strictObject({
  ...common,
  server: z.string().optional(),
  port: port.optional(),
  query: required,
  querytype: z
    .preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(DNS_TYPES))
    .optional(),
  minrecords: count.optional(),
  exactreply: z.array(text).nullish(),
  timeout: count.optional(),
  thresholdMillis: count.optional(),
  srvReply: z.unknown().optional(),
});

const icmpSchema = z.strictObject({
  ...common,
  endpoint: required,
  thresholdMillis: count.optional(),
  packetLossThreshold: z.number().min(0).max(100).optional(),
  packetCount: z.number().int().min(1).max(20).optional(),
});

const execSchema = z.strictObject({
  ...common,
  ...scripts,
  script: required,
  env: namedValues.optional(),
  timeout: z.number().min(1).max(600).optional(),
  connections: z.unknown().optional(),
  checkout: z.unknown().optional(),
  artifacts: z.array(z.strictObject({ path: z.string() })).optional(),
});

const ageText = z
  .string()
  .refine((value) => value === '' || parseDuration(value) !== null, 'must be a duration such as 10m or 7d');
const sizeText = z
  .union([z.string(), z.number()])
  .refine((value) => value === '' || parseSize(value) !== null, 'must be a size such as 25b, 50M or 1GB');
const folderSchema = z.strictObject({
  ...common,
  ...scripts,
  path: required,
  recursive: z.boolean().optional(),
  filter: z
    .strictObject({
      minAge: ageText.optional(),
      maxAge: ageText.optional(),
      since: z.string().optional(),
      minSize: sizeText.optional(),
      maxSize: sizeText.optional(),
      regex: z.string().max(500).optional(),
    })
    .optional(),
  minAge: ageText.optional(),
  maxAge: ageText.optional(),
  minCount: count.optional(),
  maxCount: count.optional(),
  minSize: sizeText.optional(),
  maxSize: sizeText.optional(),
  availableSize: sizeText.optional(),
  totalSize: sizeText.optional(),
  awsConnection: z.unknown().optional(),
  gcpConnection: z.unknown().optional(),
  smbConnection: z.unknown().optional(),
  sftpConnection: z.unknown().optional(),
});

/** The kinds that run, with the shape of one entry. */
export const RUNNABLE_SCHEMAS = {
  http: httpSchema,
  tcp: tcpSchema,
  dns: dnsSchema,
  icmp: icmpSchema,
  exec: execSchema,
  folder: folderSchema,
} as const;

export type RunnableKind = keyof typeof RUNNABLE_SCHEMAS;
export type SpecOf<Kind extends RunnableKind> = z.output<(typeof RUNNABLE_SCHEMAS)[Kind]>;
/** One check of a kind that runs. */
export type CheckSpec = { [Kind in RunnableKind]: { kind: Kind; spec: SpecOf<Kind> } }[RunnableKind];

/** Kinds of the contract that are read, stored and shown, but not run here: key of the document → checks.type. */
export const STORED_KINDS: Readonly<Record<string, string>> = {
  alertmanager: 'alertmanager',
  elasticsearch: 'elasticsearch',
  opensearch: 'opensearch',
  redis: 'redis',
  mongodb: 'mongodb',
  postgres: 'postgres',
  mysql: 'mysql',
  mssql: 'mssql',
  prometheus: 'prometheus',
  kubernetes: 'kubernetes',
  kubernetesResource: 'kubernetes_resource',
  catalog: 'catalog',
  s3: 's3',
  ldap: 'ldap',
  webhook: 'webhook',
  github: 'github',
  gitProtocol: 'gitProtocol',
  restic: 'restic',
  cloudwatch: 'cloudwatch',
  awsConfig: 'awsconfig',
  awsConfigRule: 'awsconfigrule',
  azureDevops: 'azuredevops',
  databaseBackup: 'databasebackupcheck',
  dynatrace: 'dynatrace',
  docker: 'dockerPull',
  dockerPush: 'dockerPush',
  containerd: 'containerdPull',
  containerdPush: 'containerdPush',
  helm: 'helm',
  jmeter: 'jmeter',
  junit: 'junit',
  namespace: 'namespace',
  pod: 'pod',
  pubsub: 'pubsub',
  // Names that the product's forms give to the kinds (contract §19.11).
  alertManager: 'alertmanager',
  mongo: 'mongodb',
  configDB: 'configdb',
  ec2: 'ec2',
  gcs: 'gcs',
  sftp: 'sftp',
  smb: 'smb',
  sql: 'sql',
};
