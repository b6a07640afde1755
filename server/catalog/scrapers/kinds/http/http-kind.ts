/** http: one request through the egress guard; its answer is the document. */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { HttpEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { addressBeside, signInWith } from '../../../../connections/secret-scope.ts';
import type { SpecAuthor } from '../../../../connections/secret-scope.ts';
import { requestThroughGuard } from '../../../../platform/egress/egress-http.ts';
import type { EgressRequest, EgressResponse, EgressTls } from '../../../../platform/egress/egress-http.ts';
import type {
  RawDocument,
  ScrapeConnection,
  ScrapeContext,
  ScrapeOutput,
  ScraperKind,
} from '../../specs/scraped.ts';
import { parseContent } from '../services/parse-content.ts';
import { readPages } from './http-pages.ts';
import type { HttpPage } from './http-pages.ts';

const LIMIT_MS = 60_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_TOKEN_BYTES = 256 * 1024;
const REDIRECTS = 5;
const METHOD = /^[A-Z]{1,20}$/;

/** By the answer's type where the specification does not say. */
function formatOf(entry: HttpEntry, answer: EgressResponse): string {
  if (entry.format !== undefined && entry.format !== '') return entry.format.toLowerCase();
  const type = answer.headers['content-type'] ?? '';
  return /yaml/i.test(type) ? 'yaml' : 'json';
}

function fillIn(
  text: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string,
): string {
  return text.replaceAll(/\$\(([A-Za-z_][\w.-]*)\)/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name] ?? '') : whole,
  );
}

interface SignIn {
  username: string;
  password: string;
  bearer: string;
}

async function signInOf(
  entry: HttpEntry,
  connection: ScrapeConnection | null,
  context: ScrapeContext,
): Promise<SignIn> {
  const read = (value: unknown) => (value === undefined ? '' : context.secret(value));
  const auth = entry.authentication ?? entry.auth;
  const own = connection === null ? null : signInWith(connection);
  return {
    username: (await read(entry.username ?? auth?.username)) || (own?.username ?? ''),
    password: (await read(entry.password ?? auth?.password)) || (own?.password ?? ''),
    bearer: (await read(entry.bearer)) || (connection?.properties['bearer'] ?? ''),
  };
}

async function tlsOf(
  entry: HttpEntry,
  connection: ScrapeConnection | null,
  context: ScrapeContext,
): Promise<EgressTls> {
  const { tls } = entry;
  const read = async (value: unknown) => (value === undefined ? undefined : context.secret(value));
  return {
    // Beside a connection, whether its certificate is looked at is the connection's to say.
    isInsecure: connection?.insecureTls ?? tls?.insecureSkipVerify,
    ca: await read(tls?.ca),
    cert: await read(tls?.cert),
    key: await read(tls?.key),
  };
}

async function tokenIn(answer: EgressResponse, signal: AbortSignal): Promise<string> {
  if (answer.statusCode !== 200)
    throw new AppError('network', `oauth: the token server answered ${answer.statusCode}`);
  const text = answer.body.toString('utf8');
  const source = 'oauth: the answer of the token server';
  const [found] = await parseContent({ text, format: 'json', source }, signal);
  const token =
    typeof found === 'object' && found !== null && 'access_token' in found ? found.access_token : null;
  if (typeof token !== 'string')
    throw new AppError('network', 'oauth: the token server sent no access_token');
  return token;
}

/** A token by client credentials; the token's server passes the same guard. */
async function oauthToken(entry: HttpEntry, context: ScrapeContext, tls: EgressTls): Promise<string> {
  const { oauth } = entry;
  if (oauth === undefined) return '';
  if (!URL.canParse(oauth.tokenURL)) throw new AppError('invalid', 'oauth.tokenURL: is not a URL');
  const params = Object.entries(oauth.params ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = new URLSearchParams([['grant_type', 'client_credentials'], ...params]);
  if (oauth.scope !== undefined) body.set('scope', oauth.scope.join(' '));
  const id = await context.secret(oauth.clientID);
  const secret = await context.secret(oauth.clientSecret);
  const answer = await requestThroughGuard(context.guard, context.trust, {
    signal: context.signal,
    request: {
      method: 'POST',
      url: new URL(oauth.tokenURL),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        accept: 'application/json',
      },
      body: body.toString(),
      timeoutMs: LIMIT_MS,
      maxRedirects: 0,
      maxBodyBytes: MAX_TOKEN_BYTES,
      tls,
    },
  });
  return tokenIn(answer, context.signal);
}

async function headersOf(entry: HttpEntry, context: ScrapeContext): Promise<Record<string, string>> {
  const { headers = {} } = entry;
  const list = Array.isArray(headers)
    ? headers
    : Object.entries(headers).map(([name, value]) => ({ name, value }));
  const read: Record<string, string> = {};
  for (const header of list) read[header.name.toLowerCase()] = await context.secret(header);
  return read;
}

async function connectionOf(entry: HttpEntry, context: ScrapeContext): Promise<ScrapeConnection | null> {
  if (entry.connection === undefined) return null;
  const found = await context.connection(entry.connection);
  if (found === null) throw new AppError('invalid', `connection: ${entry.connection} was not found`);
  return found;
}

function addressOf(
  { url: text = '' }: HttpEntry,
  {
    connection,
    env,
    author,
  }: { connection: ScrapeConnection | null; env: Record<string, string>; author: SpecAuthor },
): URL {
  const filled = fillIn(text, env, encodeURIComponent);
  if (connection !== null) return addressBeside(connection, filled, author);
  if (!URL.canParse(filled))
    throw new AppError('invalid', `url: "${text}" is not a URL with scheme and host`);
  return new URL(filled);
}

async function requestOf(entry: HttpEntry, context: ScrapeContext): Promise<EgressRequest> {
  const method = (entry.method ?? 'GET').toUpperCase();
  if (!METHOD.test(method)) throw new AppError('invalid', `method: "${entry.method}" is not an HTTP method`);
  const connection = await connectionOf(entry, context);
  const tls = await tlsOf(entry, connection, context);
  const signIn = await signInOf(entry, connection, context);
  const env: Record<string, string> = { username: signIn.username, password: signIn.password };
  for (const value of entry.env ?? []) env[value.name] = await context.secret(value);
  const url = addressOf(entry, { connection, env, author: context.author });
  const bearer = signIn.bearer || (await oauthToken(entry, context, tls));
  const { username, password } = signIn;
  const authorization =
    bearer === ''
      ? username + password === ''
        ? {}
        : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      : { authorization: `Bearer ${bearer}` };
  return {
    method,
    url,
    headers: {
      'user-agent': 'holdfast',
      accept: '*/*',
      ...authorization,
      ...(await headersOf(entry, context)),
    },
    body: entry.body === undefined ? null : fillIn(entry.body, env, (value) => value),
    timeoutMs: LIMIT_MS,
    maxRedirects: REDIRECTS,
    maxBodyBytes: MAX_BODY_BYTES,
    tls,
  };
}

async function askOnce(entry: HttpEntry, request: EgressRequest, context: ScrapeContext) {
  const answer = await requestThroughGuard(context.guard, context.trust, { signal: context.signal, request });
  // The address without its query: that is where keys are put.
  const source = `${request.url.origin}${request.url.pathname}`;
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new AppError('network', `url: ${request.url.host} answered ${answer.statusCode}`);
  if (answer.isBodyCut)
    throw new AppError('invalid', `url: the answer is larger than ${MAX_BODY_BYTES} bytes`);
  const format = formatOf(entry, answer);
  const text = answer.body.toString('utf8');
  return { answer, format, source, contents: await parseContent({ text, format, source }, context.signal) };
}

async function scrape(entry: HttpEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const request = await requestOf(entry, context);
  const first = await askOnce(entry, request, context);
  const { format, source } = first;
  const asked = async (url: URL): Promise<HttpPage> => {
    const { answer, contents } = await askOnce(entry, { ...request, url }, context);
    return { url, status: answer.statusCode, headers: answer.headers, body: contents[0] };
  };
  const { statusCode: status, headers } = first.answer;
  const paged =
    entry.pagination === undefined
      ? null
      : await readPages(
          { url: request.url, status, headers, body: first.contents[0] },
          { pagination: entry.pagination, ask: asked },
          context,
        );
  const contents = paged?.contents ?? first.contents;
  const errors = paged?.errors ?? [];
  const documents = contents.map((content): RawDocument => ({ content, format, source, known: {} }));
  return { documents, changes: [], analyses: [], errors, isComplete: errors.length === 0 };
}

export const httpKind: ScraperKind<HttpEntry> = { kind: 'http', scrape };
