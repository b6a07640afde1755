/** How checks sign in at AWS: the fields, and the clients over the guarded transport as scrapers open them. */
import { z } from 'zod';
import { awsClientConfig } from '../../../catalog/scrapers/kinds/aws/aws-access.ts';
import type { AwsConfig } from '../../../catalog/scrapers/kinds/aws/aws-access.ts';
import type { Probe } from '../../kind/probe.ts';
import { valueSchema } from '../../kind/spec-fields.ts';
import { scraperParts } from './scraper-parts.ts';

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
  const { region, url, accessKey, secretKey, sessionToken, connection, assumeRole, skipTLSVerify } = spec;
  const { endpoint = url } = spec;
  const found = await awsClientConfig(
    {
      accessKey,
      secretKey,
      sessionToken,
      endpoint,
      connection,
      assumeRole,
      skipTLSVerify,
      ...(region === undefined ? {} : { region: [region] }),
    },
    scraperParts(at),
  );
  // A second try would cost a second wait.
  return { ...found.config, maxAttempts: 1, region: found.regions[0] };
}
