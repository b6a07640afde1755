/** Builds the request of an http check: values from secrets, templates, sign-in of the common sorts. */
import aws4 from 'aws4';
import { AppError } from '../../../../src/contract/errors.ts';
import { addressBeside } from '../../../connections/secret-scope.ts';
import type { OpenConnection, SpecAuthor } from '../../../connections/secret-scope.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import type { EgressRequest, EgressTls } from '../../../platform/egress/egress-http.ts';
import { USER_AGENT } from '../../kind/http-call.ts';
import { agreeOnTls, connectionOf, fillIn, signInOf, tlsOf } from '../../kind/service-place.ts';
import type { SignIn } from '../../kind/service-place.ts';
import type { SecretValue } from '../../kind/spec-fields.ts';
import type { HttpSpec } from './http-spec.ts';
import type { KindContext } from '../../kind/check-kind.ts';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from '../../kind/check-kind.ts';
import { readValue } from '../../kind/secret-values.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_REDIRECTS = 10;
const METHOD = /^[A-Z]{1,20}$/;

async function valuesOf(
  list: readonly ({ name?: string | undefined } & SecretValue)[] | undefined,
  context: KindContext,
) {
  const entries = await Promise.all(
    (list ?? []).map(async (entry) => [entry.name ?? '', await readValue(entry, context)] as const),
  );
  return Object.fromEntries(entries);
}

/** The URL with `$(username)`, `$(password)` and what env names filled in. */
function urlOf(
  { spec, connection }: { spec: HttpSpec; connection: OpenConnection | null },
  signIn: SignIn,
  context: { env: Readonly<Record<string, string>>; author: SpecAuthor },
): URL {
  const text = spec.url ?? spec.endpoint ?? '';
  const filled = fillIn(text, {
    ...context.env,
    username: encodeURIComponent(signIn.username),
    password: encodeURIComponent(signIn.password),
  });
  if (connection !== null) return addressBeside(connection, filled, context.author);
  if (!URL.canParse(filled)) throw new AppError('invalid', `url "${text}" is not a URL with scheme and host`);
  const url = new URL(filled);
  if (url.hostname === '') throw new AppError('invalid', `url "${text}" has no host`);
  return url;
}

/** A token by client credentials; the token's server passes the same guard. */
async function oauthToken(
  spec: HttpSpec,
  { signIn, tls }: { signIn: SignIn; tls: EgressTls },
  context: KindContext,
): Promise<string> {
  const { oauth2 } = spec;
  const address = oauth2?.tokenURL ?? '';
  if (!URL.canParse(address)) throw new AppError('invalid', `oauth2.tokenURL: "${address}" is no address`);
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...oauth2?.params });
  if (oauth2?.scope !== undefined) body.set('scope', oauth2.scope.join(' '));
  const basic = Buffer.from(`${signIn.username}:${signIn.password}`).toString('base64');
  const answer = await requestThroughGuard(context.guard, context.trust, {
    signal: context.signal,
    request: {
      method: 'POST',
      url: new URL(address),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${basic}`,
        accept: 'application/json',
      },
      body: body.toString(),
      timeoutMs: DEFAULT_TIMEOUT_MS,
      maxRedirects: 0,
      maxBodyBytes: MAX_BODY_BYTES,
      tls,
    },
  });
  if (answer.statusCode !== 200)
    throw new AppError('network', `the token server answered ${answer.statusCode}`);
  const token: unknown = JSON.parse(answer.body.toString('utf8'));
  if (
    typeof token !== 'object' ||
    token === null ||
    !('access_token' in token) ||
    typeof token.access_token !== 'string'
  )
    throw new AppError('network', 'the token server sent no access_token');
  return token.access_token;
}

async function authorizationOf(
  spec: HttpSpec,
  { signIn, tls }: { signIn: SignIn; tls: EgressTls },
  context: KindContext,
): Promise<Record<string, string>> {
  // The password itself is never sent.
  if (spec.ntlm === true || spec.ntlmv2 === true) return {};
  if (spec.oauth2 !== undefined)
    return { authorization: `Bearer ${await oauthToken(spec, { signIn, tls }, context)}` };
  if (signIn.bearer !== '' && spec.username === undefined)
    return { authorization: `Bearer ${signIn.bearer}` };
  // Digest answers a challenge; the password itself is never sent.
  if (spec.digest === true || (signIn.username === '' && signIn.password === '')) return {};
  return {
    authorization: `Basic ${Buffer.from(`${signIn.username}:${signIn.password}`).toString('base64')}`,
  };
}

interface Signed {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | null;
}

async function signForAws(
  spec: HttpSpec,
  request: Signed,
  context: KindContext,
): Promise<Record<string, string>> {
  const aws = spec.awsSigV4;
  if (aws === undefined) return request.headers;
  const signed = aws4.sign(
    {
      host: request.url.host,
      path: `${request.url.pathname}${request.url.search}`,
      method: request.method,
      headers: { ...request.headers },
      region: aws.region,
      service: aws.service,
      ...(request.body === null ? {} : { body: request.body }),
    },
    {
      accessKeyId: await readValue(aws.accessKey, context),
      secretAccessKey: await readValue(aws.secretKey, context),
      ...(aws.sessionToken === undefined ? {} : { sessionToken: await readValue(aws.sessionToken, context) }),
    },
  );
  return Object.fromEntries(
    Object.entries(signed.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

/** The whole request; throws `invalid` for what the specification got wrong. */
export async function buildHttpRequest(spec: HttpSpec, context: KindContext): Promise<EgressRequest> {
  const method = (spec.method ?? 'GET').toUpperCase();
  if (!METHOD.test(method)) throw new AppError('invalid', `method "${spec.method}" is not an HTTP method`);
  const connection = await connectionOf(spec, context);
  const signIn = await signInOf(spec, connection, context);
  const tls = await tlsOf(spec.tlsConfig, connection, context);
  const env = await valuesOf(spec.env, context);
  const url = urlOf({ spec, connection }, signIn, { env, author: context.author });
  agreeOnTls(spec.tlsConfig?.enable, url.protocol === 'https:');
  const variables = { ...context.variables, ...env };
  const filled = spec.body === undefined ? null : fillIn(spec.body, env);
  const body =
    filled !== null && spec.templateBody === true ? await context.template(filled, variables) : filled;
  const plain = {
    'user-agent': USER_AGENT,
    ...(await authorizationOf(spec, { signIn, tls }, context)),
    ...Object.fromEntries(
      Object.entries(await valuesOf(spec.headers, context)).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    ),
  };
  return {
    method,
    url,
    headers: await signForAws(spec, { method, url, headers: plain, body }, context),
    body,
    timeoutMs: Math.min(spec.timeout || spec.thresholdMillis || DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
    maxRedirects: spec.maxRedirects ?? DEFAULT_REDIRECTS,
    maxBodyBytes: context.maxOutputBytes ?? MAX_BODY_BYTES,
    tls,
  };
}
