/**
 * The fields that specifications of checks share (schema §4.1). Every kind has the common ones and the scripts; what
 * signs in somewhere has those of a connection. Unknown fields are an error of the document: a mistyped threshold that
 * is silently ignored would be a check that cannot fail.
 */
import { z } from 'zod';
import { script } from '../../../src/contract/specs/spec-parts.ts';
import { parseDuration, parseSize } from '../../../src/domain/check/duration.ts';

const scalarToText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
/** YAML reads `on`, `1.10` and `8080` as other things than the text that was meant. */
export const text = z.preprocess(scalarToText, z.string());
/** A text that may not be empty. */
export const required = z.preprocess(scalarToText, z.string().trim().min(1, 'is required'));

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

export const count = z.number().int().min(0);
export const port = z.number().int().min(1).max(65_535);
/** A list of names, each with a value or where it is kept. */
export const namedValues = z.array(z.intersection(z.object({ name: required }), valueSchema));
export const durationText = z
  .string()
  .refine((value) => value === '' || parseDuration(value) !== null, 'must be a duration such as 10m or 7d');
export const sizeText = z
  .union([z.string(), z.number()])
  .refine((value) => value === '' || parseSize(value) !== null, 'must be a size such as 25b, 50M or 1GB');

export const METRIC_TYPES = ['gauge', 'counter', 'histogram'] as const;
/** Of a figure for Prometheus; those of the server itself begin with holdfast_. */
export const metricName = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z_:][\w:]*$/, 'must be letters, digits, _ and :')
  .refine((name) => !name.startsWith('holdfast_'), 'must not begin with holdfast_');
export const metricLabel = z
  .string()
  .max(100)
  .regex(/^(?!__|le$)[a-zA-Z_]\w*$/, 'must be letters, digits and _, and not le');
/** How many figures a run may give. */
export const MAX_METRICS = 100;

const metricSchema = z.strictObject({
  name: metricName,
  type: z.enum(METRIC_TYPES).optional().describe('A gauge, unless set; a counter adds up'),
  value: required.describe('CEL that gives a number, of what Try now shows under “What scripts can read”'),
  labels: z
    .array(
      z
        .strictObject({
          name: metricLabel,
          value: text.optional().describe('A text as it is'),
          valueExpr: text.optional().describe('Instead of the text'),
        })
        .refine(({ value, valueExpr }) => (value === undefined) !== (valueExpr === undefined), {
          path: ['value'],
          message: 'is required, or valueExpr instead of it',
        }),
    )
    .max(20)
    .optional(),
});
export type MetricSpec = z.output<typeof metricSchema>;

/** Characters: an index holds it, with the kind, in 2,704 bytes. */
export const MAX_CHECK_NAME = 500;

/** What every check may say. */
export const common = {
  name: z.preprocess(scalarToText, z.string().max(MAX_CHECK_NAME)).optional(),
  description: text.optional(),
  namespace: z.string().optional(),
  icon: z.string().optional(),
  endpoint: z.string().optional(),
  labels: z.record(z.string(), text).nullish(),
  owner: text.optional(),
  severity: z.string().optional(),
  transformDeleteStrategy: z.enum(['MarkHealthy', 'MarkUnhealthy', 'Ignore']).optional(),
  metrics: z.array(metricSchema).max(MAX_METRICS).nullish(),
  relationships: z.unknown().optional(),
  dependsOn: z.array(z.string()).optional(),
  test: script.optional(),
  display: script.optional(),
  transform: script.optional(),
};
const commonSchema = z.object(common);
/** The part of a specification that the runner itself reads. */
export type CommonSpec = z.output<typeof commonSchema>;

/** How long a check may wait for its service, and how fast that has to be. */
export const limits = {
  /** ms: slower has failed. */
  thresholdMillis: count.optional(),
  /** How long is waited at all; at most 1m. */
  timeout: z.union([count.max(60).describe('Seconds'), durationText]).optional(),
};
const limitsSchema = z.object(limits);
export type Limits = z.output<typeof limitsSchema>;

/** Where a service is and how to sign in, the same for every kind; `authentication` is how the product's forms write it. */
export const connection = {
  connection: z.string().optional(),
  url: z.string().optional(),
  username: valueSchema.optional(),
  password: valueSchema.optional(),
  basic: z.boolean().optional(),
  authentication: z
    .strictObject({ username: valueSchema.optional(), password: valueSchema.optional() })
    .optional(),
};
const connectionSchema = z.object(connection);
export type ConnectionSpec = z.output<typeof connectionSchema>;

/** Certificates, by any of the two names that specifications use. */
export const tlsSchema = z.strictObject({
  enable: z.boolean().optional(),
  insecureSkipVerify: z.boolean().optional(),
  /** Seconds, or a duration. */
  handshakeTimeout: z.union([z.number().min(0), durationText]).optional(),
  ca: valueSchema.optional(),
  cert: valueSchema.optional(),
  key: valueSchema.optional(),
});
export type TlsSpec = z.output<typeof tlsSchema>;

/** Refuses a specification that names no place to call; `fields` are those that can. */
export function namesPlace(fields: readonly string[]) {
  return (spec: object): boolean =>
    fields.some((field) => {
      const value: unknown = Object.getOwnPropertyDescriptor(spec, field)?.value;
      return typeof value === 'string' && value.trim() !== '';
    });
}
