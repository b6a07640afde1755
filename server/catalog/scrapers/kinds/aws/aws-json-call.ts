/** Calls of AWS services that speak JSON by target and have no client here, signed by `aws4`, through the guard. */
import aws4 from 'aws4';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { CallContext } from '../services/service-call.ts';
import { callJson } from '../services/json-call.ts';
import type { AwsConfig } from './aws-access.ts';

interface Target {
  /** As its host begins: `athena`. */
  service: string;
  region: string;
  /** `AmazonAthena.GetQueryResults` */
  target: string;
}

/** The parsed answer. */
export async function callAws(
  config: AwsConfig,
  { service, region, target }: Target,
  given: { body: object; context: CallContext },
): Promise<unknown> {
  const { credentials, endpoint } = config;
  if (typeof credentials !== 'object' || !('accessKeyId' in credentials))
    throw new AppError('invalid', 'aws: has no credentials');
  const url = new URL(typeof endpoint === 'string' ? endpoint : `https://${service}.${region}.amazonaws.com`);
  const body = JSON.stringify(given.body);
  const signed = aws4.sign(
    {
      host: url.host,
      path: '/',
      method: 'POST',
      service,
      region,
      body,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    },
    {
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken === undefined ? {} : { sessionToken: credentials.sessionToken }),
    },
  );
  const headers = Object.fromEntries(
    Object.entries(signed.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const { host: _host, 'content-length': _length, ...own } = headers;
  return callJson(target, { url: new URL('/', url), headers: own, body }, given.context);
}
