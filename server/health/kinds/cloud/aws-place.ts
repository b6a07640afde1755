/** How checks sign in at AWS: the fields, and the clients over the guarded transport as scrapers open them. */
import { z } from 'zod';
import { awsClientConfig } from '../../../catalog/scrapers/kinds/aws/aws-access.ts';
import type { AwsConfig } from '../../../catalog/scrapers/kinds/aws/aws-access.ts';
import type { Probe } from '../../kind/probe.ts';
import { readValue } from '../../kind/secret-values.ts';
import { valueSchema } from '../../kind/spec-fields.ts';

/** Of every kind that calls AWS, and of folders there. */
export const awsFields = {
  connection: z.string().optional(),
  accessKey: valueSchema.optional(),
  secretKey: valueSchema.optional(),
  sessionToken: valueSchema.optional(),
  region: z.string().optional(),
  endpoint: z.string().optional(),
  url: z.string().optional(),
  assumeRole: z.string().optional(),
  skipTLSVerify: z.boolean().optional(),
};
const awsSchema = z.object(awsFields);
export type AwsPlaceSpec = z.output<typeof awsSchema>;

/** What a client is made with. */
export type AwsClientConfig = AwsConfig & { region: string };

/** Throws `invalid` where nothing says whose account it is. */
export async function awsPlace(spec: AwsPlaceSpec, at: Probe): Promise<AwsClientConfig> {
  const { region, url, accessKey, secretKey, endpoint = url, connection, assumeRole, skipTLSVerify } = spec;
  const found = await awsClientConfig(
    {
      accessKey,
      secretKey,
      endpoint,
      connection,
      assumeRole,
      skipTLSVerify,
      ...(region === undefined ? {} : { region: [region] }),
    },
    {
      guard: at.guard,
      trust: at.trust,
      signal: at.signal,
      // What stands there was read by the schema above.
      secret: (value) => readValue(valueSchema.parse(value), at),
      async connection(reference) {
        const known = await at.connection(reference);
        if (known === null) return null;
        const { isInsecureTls, properties, ...columns } = known;
        return { ...columns, insecureTls: isInsecureTls, properties: { ...properties } };
      },
    },
  );
  // A second try would cost a second wait.
  return { ...found.config, maxAttempts: 1, region: found.regions[0] };
}
