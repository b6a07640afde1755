/**
 * How AWS is called: credentials of the specification or its connection, and the real clients over the guarded
 * transport. Invariant: the server's own credentials (its environment, its machine's role) are never used, as the
 * clients would look for them on their own ways, past the guard.
 */
import { Readable } from 'node:stream';
import type { STSClientConfig } from '@aws-sdk/client-sts';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { callService } from '../services/service-call.ts';

/** The parts of a context that signing in needs. */
type AwsContext = Pick<ScrapeContext, 'secret' | 'connection' | 'guard' | 'trust' | 'signal'>;

export interface AwsSpec {
  connection?: string | undefined;
  accessKey?: unknown;
  secretKey?: unknown;
  sessionToken?: unknown;
  assumeRole?: string | undefined;
  region?: readonly (string | number | boolean)[] | undefined;
  endpoint?: string | undefined;
  skipTLSVerify?: boolean | undefined;
}

/** What every client is made with; the region is added for each. */
export type AwsConfig = Pick<STSClientConfig, 'credentials' | 'endpoint' | 'maxAttempts' | 'requestHandler'>;

interface AwsRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

function urlOf(request: AwsRequest): URL {
  const port = request.port === undefined ? '' : `:${request.port}`;
  const url = new URL(`${request.protocol}//${request.hostname}${port}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value ?? '']) url.searchParams.append(name, one);
  return url;
}

function bodyOf(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  throw new TypeError('Only calls that send text are made');
}

function handlerFor(
  context: AwsContext,
  isInsecure: boolean,
): NonNullable<STSClientConfig['requestHandler']> {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async (request: AwsRequest, options?: { abortSignal?: AbortSignal }) => {
      const { host: _host, 'content-length': _length, ...headers } = request.headers;
      const answer = await callService(context, {
        method: request.method,
        url: urlOf(request),
        headers,
        body: bodyOf(request.body),
        tls: { isInsecure },
        signal: options?.abortSignal,
      });
      const { statusCode } = answer;
      return { response: { statusCode, headers: answer.headers, body: Readable.from([answer.body]) } };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

async function ownCredentials(spec: AwsSpec, context: AwsContext) {
  if (spec.accessKey !== undefined && spec.secretKey !== undefined)
    return {
      accessKeyId: await context.secret(spec.accessKey),
      secretAccessKey: await context.secret(spec.secretKey),
      ...(spec.sessionToken === undefined ? {} : { sessionToken: await context.secret(spec.sessionToken) }),
    };
  const connection = spec.connection === undefined ? null : await context.connection(spec.connection);
  if (spec.connection !== undefined && connection === null)
    throw new AppError(
      'invalid',
      `connection: there is no connection "${spec.connection}"; create it in settings`,
    );
  if (connection === null)
    throw new AppError(
      'invalid',
      "aws: accessKey and secretKey, or a connection, are needed; the server's own credentials are not used",
    );
  const sessionToken = connection.properties['sessionToken'];
  return {
    accessKeyId: connection.username,
    secretAccessKey: connection.password,
    ...(sessionToken === undefined || sessionToken === '' ? {} : { sessionToken }),
  };
}

export interface AwsAccess {
  config: AwsConfig;
  account: string;
  /** Never empty; the first serves what has no region. */
  regions: [string, ...string[]];
}

async function assumedRole(config: AwsConfig, region: string, role: string): Promise<AwsConfig> {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const client = new STSClient({ ...config, region });
  const answer = await client.send(new AssumeRoleCommand({ RoleArn: role, RoleSessionName: 'holdfast' }));
  const given = answer.Credentials;
  if (given?.AccessKeyId === undefined || given.SecretAccessKey === undefined)
    throw new AppError('bad_payload', `assumeRole: ${role} gave no credentials`);
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = given;
  const token = sessionToken === undefined ? {} : { sessionToken };
  return { ...config, credentials: { accessKeyId, secretAccessKey, ...token } };
}

/** What the clients of a specification are made with, and its regions. */
export async function awsClientConfig(
  spec: AwsSpec,
  context: AwsContext,
): Promise<Pick<AwsAccess, 'config' | 'regions'>> {
  const connection = spec.connection === undefined ? null : await context.connection(spec.connection);
  const [first = connection?.properties['region'] ?? 'us-east-1', ...others] = (spec.region ?? []).map(
    String,
  );
  const isInsecure = spec.skipTLSVerify === true || connection?.insecureTls === true;
  const endpoint = spec.endpoint ?? connection?.url ?? '';
  const base: AwsConfig = {
    credentials: await ownCredentials(spec, context),
    requestHandler: handlerFor(context, isInsecure),
    // It comes again by itself; what fails is told.
    maxAttempts: 2,
    ...(endpoint === '' ? {} : { endpoint }),
  };
  const role = spec.assumeRole ?? connection?.properties['assumeRole'] ?? '';
  const config = role === '' ? base : await assumedRole(base, first, role);
  return { config, regions: [first, ...others] };
}

/** Signs in and asks who that is. */
export async function openAws(spec: AwsSpec, context: AwsContext): Promise<AwsAccess> {
  const { config, regions } = await awsClientConfig(spec, context);
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const identity = await new STSClient({ ...config, region: regions[0] }).send(
    new GetCallerIdentityCommand({}),
  );
  return { config, account: identity.Account ?? '', regions };
}
