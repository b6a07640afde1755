/** Tests of the services that are asked by HTTP: one request that only works with the right access. */
import aws4 from 'aws4';
import { recordOf } from '../../src/lib/is-record.ts';
import { AppError } from '../../src/contract/errors.ts';
import { requestThroughGuard } from '../platform/egress/egress-http.ts';
import type { EgressResponse } from '../platform/egress/egress-http.ts';
import { TEST_TIMEOUT_MS, TRUST } from './connection-test.ts';
import type { ConnectionTest, TestContext } from './connection-test.ts';
import { need, urlOf } from './connection-values.ts';
import type { ConnectionValues } from './connection-values.ts';
import { trimEnd } from '../../src/lib/trim-end.ts';
import { lookupTable } from '../../src/lib/lookup-table.ts';

const MAX_BODY_BYTES = 256 * 1024;
const REDIRECTS = 5;

interface Ask {
  url: URL;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** For headers that must not follow to another place. */
  isStaying?: boolean;
  tls?: { isInsecure?: boolean; ca?: string; cert?: string; key?: string };
}

/** Sends one request; any status but 2xx is a failure that names it. */
export async function askService(asked: Ask, { guard, signal }: TestContext): Promise<EgressResponse> {
  const answer = await requestThroughGuard(guard, TRUST, {
    signal,
    request: {
      method: asked.method ?? 'GET',
      url: asked.url,
      headers: { 'user-agent': 'holdfast', accept: '*/*', ...asked.headers },
      body: asked.body ?? null,
      timeoutMs: TEST_TIMEOUT_MS,
      maxRedirects: asked.isStaying === true ? 0 : REDIRECTS,
      maxBodyBytes: MAX_BODY_BYTES,
      tls: asked.tls ?? {},
    },
  });
  const { statusCode: status } = answer;
  if (status < 200 || status > 299)
    throw new AppError('network', `${asked.url.host} answered ${status}`, { status });
  return answer;
}

function basic({
  username,
  password,
}: Pick<ConnectionValues, 'username' | 'password'>): Record<string, string> {
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** The path below the URL's own, which may end in a slash or not. */
function below(url: URL, path: string): URL {
  const there = new URL(url);
  there.pathname = `${trimEnd(url.pathname, '/')}${path}`;
  return there;
}

/** `GET` of a path below the connection's URL, signed in by Basic. */
function getBelow(path: string, query: Record<string, string> = {}): ConnectionTest {
  return async (values, context) => {
    const url = path === '' ? urlOf(values) : below(urlOf(values), path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // A user in the URL itself counts as one in the columns.
    const username = values.username || decodeURIComponent(url.username);
    const password = values.password || decodeURIComponent(url.password);
    url.username = '';
    url.password = '';
    const headers = basic({ username, password });
    await askService({ url, headers, tls: { isInsecure: values.isInsecureTls } }, context);
  };
}

function jsonOf(answer: EgressResponse): Record<string, unknown> {
  try {
    return { ...recordOf(JSON.parse(answer.body.toString('utf8'))) };
  } catch (error) {
    throw new AppError('network', 'the service did not answer with JSON', { cause: error });
  }
}

const base = (values: ConnectionValues, usual: string): URL =>
  values.url === '' ? new URL(usual) : urlOf(values);

const github: ConnectionTest = async (values, context) => {
  const headers = { authorization: `Bearer ${need({ password: values.password }, 'password')}` };
  await askService({ url: below(base(values, 'https://api.github.com'), '/user'), headers }, context);
};

const gitlab: ConnectionTest = async (values, context) => {
  const headers = { 'private-token': need({ password: values.password }, 'password') };
  await askService(
    { url: below(base(values, 'https://gitlab.com'), '/api/v4/user'), headers, isStaying: true },
    context,
  );
};

const azureDevops: ConnectionTest = async (values, context) => {
  const organization = need({ username: values.username }, 'username');
  const path = `/${encodeURIComponent(organization)}/_apis/projects`;
  const headers = basic({ username: '', password: need({ password: values.password }, 'password') });
  const answer = await askService(
    { url: below(base(values, 'https://dev.azure.com'), path), headers },
    context,
  );
  // A wrong token is sent to a sign-in page, with a status that says all is well.
  if (answer.statusCode !== 200)
    throw new AppError('unauthorized', 'the personal access token was not accepted');
};

const azure: ConnectionTest = async (values, context) => {
  const tenant = need({ tenant: values.properties['tenant'] ?? '' }, 'tenant');
  const url = base(values, 'https://login.microsoftonline.com');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: need({ username: values.username }, 'username'),
    client_secret: need({ password: values.password }, 'password'),
    scope: 'https://management.azure.com/.default',
  });
  await askService(
    {
      url: below(url, `/${encodeURIComponent(tenant)}/oauth2/v2.0/token`),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    },
    context,
  );
};

/** Slack and Telegram say in the body whether the token is good. */
function refuseUnlessOk(answer: EgressResponse): void {
  const { ok, error } = jsonOf(answer);
  if (ok !== true)
    throw new AppError(
      'unauthorized',
      `the token was not accepted${typeof error === 'string' ? `: ${error}` : ''}`,
    );
}

const isProviderUrl = (url: string) => /^(?:slack|telegram):/.test(url);

const slack: ConnectionTest = async (values, context) => {
  const headers = { authorization: `Bearer ${need({ password: values.password }, 'password')}` };
  const url = isProviderUrl(values.url) ? '' : values.url;
  const place = below(base({ ...values, url }, 'https://slack.com'), '/api/auth.test');
  refuseUnlessOk(await askService({ url: place, method: 'POST', headers }, context));
};

const telegram: ConnectionTest = async (values, context) => {
  const token = need({ password: values.password }, 'password');
  const url = isProviderUrl(values.url) ? '' : values.url;
  const place = below(
    base({ ...values, url }, 'https://api.telegram.org'),
    `/bot${encodeURIComponent(token)}/getMe`,
  );
  refuseUnlessOk(await askService({ url: place }, context));
};

function signedForAws(values: ConnectionValues, asked: { url: URL; service: string; body?: string }): Ask {
  const { url, service, body } = asked;
  const signed = aws4.sign(
    {
      host: url.host,
      path: `${url.pathname}${url.search}`,
      method: body === undefined ? 'GET' : 'POST',
      service,
      region: values.properties['region'] || 'us-east-1',
      headers: body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      ...(body === undefined ? {} : { body }),
    },
    {
      accessKeyId: need({ username: values.username }, 'username'),
      secretAccessKey: need({ password: values.password }, 'password'),
    },
  );
  const headers = Object.entries(signed.headers ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    url,
    method: signed.method ?? 'GET',
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(body === undefined ? {} : { body }),
    tls: { isInsecure: values.isInsecureTls },
  };
}

const aws: ConnectionTest = async (values, context) => {
  const region = values.properties['region'] || 'us-east-1';
  const url = base(values, `https://sts.${region}.amazonaws.com`);
  const body = 'Action=GetCallerIdentity&Version=2011-06-15';
  await askService(signedForAws(values, { url, service: 'sts', body }), context);
};

const s3: ConnectionTest = async (values, context) => {
  const region = values.properties['region'] || 'us-east-1';
  const bucket = need({ bucket: values.properties['bucket'] ?? '' }, 'bucket');
  const url = below(base(values, `https://s3.${region}.amazonaws.com`), `/${encodeURIComponent(bucket)}`);
  url.search = '?list-type=2&max-keys=1';
  await askService(signedForAws(values, { url, service: 's3' }), context);
};

/** What a server for Git answers to whoever wants to fetch. */
const git: ConnectionTest = async (values, context) => {
  const url = urlOf(values);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AppError('invalid', 'url: this server reaches Git over https only');
  await getBelow('/info/refs', { service: 'git-upload-pack' })(values, context);
};

/** The types whose services are asked by HTTP. */
export const HTTP_TESTS = lookupTable<ConnectionTest>({
  http: getBelow(''),
  elasticsearch: getBelow('/_cluster/health'),
  prometheus: getBelow('/api/v1/query', { query: '1' }),
  github,
  gitlab,
  azure_devops: azureDevops,
  azure,
  slack,
  telegram,
  aws,
  s3,
  git,
});
