/**
 * One HTTP call to an outside system, through the egress guard as a user's call: bounded in time and size, JSON in
 * and out, its refusals in words that name what to change. Writes follow no redirect: a moved system is told, not
 * followed with a body and a password.
 */
import { isRecord } from '../../../../src/lib/is-record.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import { decoded, noteLiterals } from '../../../connections/note-literals.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import type { EgressResponse } from '../../../platform/egress/egress-http.ts';
import { retryAfterMs } from '../../../platform/egress/retry-after.ts';
import type { AdapterContext, Client } from './adapter.ts';
import { OutsideFailure, unusable } from './outside-failure.ts';
import { MESSAGES } from './messages.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

/** Teams are written through the API. */
const TRUST = 'user';
const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const READ_REDIRECTS = 3;
const LONGEST_REASON = 300;
const SHORTEST_SECRET = 4;
/** A word of a path is shorter than a token. */
const SHORTEST_SECRET_PART = 16;
/** Of client errors these pass by themselves. */
const PASSING = new Set([408, 425, 429]);

export interface OutsideQuestion {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Statuses that are an answer and no failure, besides 2xx. */
  alsoTakes?: readonly number[];
}

export interface OutsideAnswer {
  status: number;
  /** Parsed JSON; null when the body is empty. */
  json: unknown;
}

/** The client's address with a path below it; refuses what is no http(s) address. */
export function below(client: Client, path: string): URL {
  if (!URL.canParse(client.url)) throw unusable(MESSAGES.badUrl(client.name));
  const url = new URL(client.url);
  url.username = '';
  url.password = '';
  if (path !== '') url.pathname = `${trimEnd(url.pathname, '/')}${path}`;
  return url;
}

/** As the client signs in: a bearer token, or Basic. */
export function signIn(client: Client): Record<string, string> {
  if (client.token !== '') return { authorization: `Bearer ${client.token}` };
  const inUrl = URL.canParse(client.url) ? new URL(client.url) : null;
  const user = client.username || decoded(inUrl?.username ?? '');
  const password = client.password || decoded(inUrl?.password ?? '');
  if (user === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** What of an address may sign in: the part before the host, parameters, and long parts of the path (webhooks). */
function secretsIn(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password, pathname, searchParams } = new URL(address);
  const parts = pathname.split('/').filter((part) => part.length >= SHORTEST_SECRET_PART);
  return [password, decoded(password), ...searchParams.values(), ...parts];
}

/** Takes out what the system may have quoted of what it was sent. */
function redactorOf(client: Client): Redactor {
  const redactor = createRedactor();
  const { password, token, secret, url } = client;
  const basic = signIn(client)['authorization']?.replace(/^\w+ /, '') ?? '';
  for (const value of [password, token, secret, basic]) redactor.note(value);
  noteLiterals(url, redactor);
  return redactor;
}

/** Of a refusal, which is words: parts of addresses that may sign in, too. */
function withoutSecrets(text: string, client: Client): string {
  return secretsIn(client.url)
    .filter((value) => value.length >= SHORTEST_SECRET)
    .reduce((cleaned, value) => cleaned.replaceAll(value, '***'), redactorOf(client).text(text));
}

/** Strings that a refusal tells its reason in: Jira's and ServiceNow's shapes, and the usual ones. */
function reasonsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(reasonsIn);
  if (!isRecord(value)) return [];
  const { errorMessages, errors, error, message, detail } = value;
  const byField = isRecord(errors)
    ? Object.entries(errors).map(([field, why]) => `${field}: ${reasonsIn(why).join(', ')}`)
    : reasonsIn(errors);
  return [errorMessages, error, message, detail].flatMap(reasonsIn).concat(byField);
}

function parsed(body: Buffer): { isJson: boolean; json: unknown } {
  const text = body.toString('utf8').trim();
  if (text === '') return { isJson: true, json: null };
  try {
    return { isJson: true, json: JSON.parse(text) as unknown };
  } catch {
    // Whoever asks decides what an answer that isn't JSON means; its text is nobody's business.
    return { isJson: false, json: null };
  }
}

function refusalOf(answer: EgressResponse, { client, now }: AdapterContext): OutsideFailure {
  const { statusCode: status, headers } = answer;
  const reason = reasonsIn(parsed(answer.body).json).join('; ').slice(0, LONGEST_REASON);
  const message = MESSAGES.refused({ client: client.name, status, reason: withoutSecrets(reason, client) });
  const isPassing = status >= 500 || PASSING.has(status);
  return new OutsideFailure(status === 429 ? 'rate_limited' : 'network', message, {
    retryable: isPassing,
    retryAfterMs: isPassing ? retryAfterMs(headers['retry-after'], now()) : null,
  });
}

/** Asks once. Throws OutsideFailure, or what the guard refuses with. */
export async function askOutside(asked: OutsideQuestion, context: AdapterContext): Promise<OutsideAnswer> {
  const { client, guard, signal } = context;
  const method = asked.method ?? 'GET';
  const answer = await requestThroughGuard(guard, TRUST, {
    signal,
    request: {
      method,
      url: asked.url,
      headers: {
        'user-agent': 'holdfast',
        accept: 'application/json',
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...signIn(client),
        ...asked.headers,
      },
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
      timeoutMs: TIMEOUT_MS,
      maxRedirects: method === 'GET' ? READ_REDIRECTS : 0,
      maxBodyBytes: MAX_BODY_BYTES,
      tls: { isInsecure: client.isInsecureTls },
    },
  });
  const { statusCode: status } = answer;
  const isTaken = (status >= 200 && status < 300) || asked.alsoTakes?.includes(status) === true;
  if (!isTaken) throw refusalOf(answer, context);
  const { isJson, json } = parsed(answer.body);
  if (answer.isBodyCut) throw notUnderstood(client, MESSAGES.tooLong);
  if (!isJson) throw notUnderstood(client, MESSAGES.notJson);
  return { status, json: redactorOf(client).value(json) };
}

/** An answer that means nothing to us; whether the call was made is open, so it may be tried again. */
export function notUnderstood(client: Client, what: string, cause?: unknown): OutsideFailure {
  return new OutsideFailure('bad_payload', MESSAGES.notUnderstood(client.name, what), {
    retryable: true,
    cause,
  });
}
