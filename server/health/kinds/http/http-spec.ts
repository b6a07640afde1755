/** The fields of an http check (schema §4.1). */
import { z } from 'zod';
import { crawlSchema } from './crawl.ts';
import { jsonContentSchema } from './json-content.ts';
import {
  common,
  connection,
  count,
  namedValues,
  namesPlace,
  tlsSchema,
  valueSchema,
} from '../../kind/spec-fields.ts';

const httpFields = z.strictObject({
  ...common,
  ...connection,
  method: z.string().optional(),
  body: z.string().optional(),
  templateBody: z.boolean().optional(),
  headers: namedValues.optional(),
  env: namedValues.optional(),
  responseCodes: z.array(z.number().int('must be a whole number')).nullish(),
  responseContent: z.string().optional(),
  responseJSONContent: jsonContentSchema.nullish(),
  maxSSLExpiry: z.number().min(0).optional(),
  thresholdMillis: count.optional(),
  /** ms */
  timeout: count.optional(),
  maxRedirects: count.max(20).optional(),
  ntlm: z.boolean().optional(),
  ntlmv2: z.boolean().optional(),
  digest: z.boolean().optional(),
  oauth2: z
    .strictObject({
      scope: z.array(z.string()).optional(),
      tokenURL: z.string(),
      params: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  tlsConfig: tlsSchema.optional(),
  awsSigV4: z
    .strictObject({
      accessKey: valueSchema,
      secretKey: valueSchema,
      region: z.string(),
      service: z.string(),
      sessionToken: valueSchema.optional(),
    })
    .optional(),
  crawl: crawlSchema.optional(),
});

/** One entry. */
export const httpSchema = httpFields.refine(namesPlace(['url', 'endpoint', 'connection']), {
  path: ['url'],
  message: 'is required',
});
export type HttpSpec = z.output<typeof httpSchema>;
