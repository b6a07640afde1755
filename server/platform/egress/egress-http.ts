/**
 * HTTP through the egress guard. Each hop is judged anew and connected to a judged address on a connection of
 * its own, so what is measured is a whole request and no pooled connection outlives its verdict. Bounded in
 * time, size and redirects; compressed bodies are not asked for and not unpacked.
 */
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { Client, buildConnector } from 'undici';
import { AppError } from '../../../src/contract/errors.ts';
import type { EgressGuard, EgressCaller, EgressTarget } from './egress-guard.ts';
import { orAborted } from '../../../src/lib/or-aborted.ts';

export interface EgressTls {
  isInsecure?: boolean | undefined;
  handshakeTimeoutMs?: number | undefined;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

export interface EgressRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer | null;
  timeoutMs: number;
  maxRedirects: number;
  maxBodyBytes: number;
  tls: EgressTls;
  /** Answers a challenge: headers with which the request goes once more, on the same connection; null for none. */
  answerChallenge?: ((answer: EgressResponse) => Record<string, string> | null) | undefined;
  /** Told each part of the body as it comes, with the answer's status; the next part waits for what it promises. */
  onData?: ((part: Buffer, statusCode: number) => void | Promise<void>) | undefined;
  /** The body is only for `onData`: nothing of it is kept, and `maxBodyBytes` counts nothing. */
  isStreamed?: boolean | undefined;
}

export interface EgressResponse {
  /** Of the last hop. */
  url: URL;
  statusCode: number;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  isBodyCut: boolean;
  /** ms since 1970; null without TLS. */
  certificateExpiresAt: number | null;
}

/** A sign-in that is bound to its connection takes two. */
const MAX_CHALLENGES = 2;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const SCHEMES = new Set(['http:', 'https:']);
/** All that another origin gets of a request: any other header may be a key. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['user-agent', 'accept', 'accept-language']);

/** Connects to the judged addresses only. undici's connector accepts every option of net.connect and tls.connect, `lookup` among them. */
export function pinnedLookup(target: EgressTarget): buildConnector.BuildOptions {
  const lookup = (_host: string, options: { all?: boolean }, done: (...args: unknown[]) => void) => {
    const [first] = target.addresses;
    if (options.all === true) done(null, target.addresses);
    else done(null, first.address, first.family);
  };
  // The types of BuildOptions leave `lookup` out, though it is handed to net.connect as it is.
  return { lookup } as unknown as buildConnector.BuildOptions;
}

interface Hop {
  client: Client;
  certificate: () => PeerCertificate | null;
}

function openHop(url: URL, target: EgressTarget, request: EgressRequest): Hop {
  let certificate: PeerCertificate | null = null;
  const { tls } = request;
  const connect = buildConnector({
    ...pinnedLookup(target),
    timeout: Math.min(tls.handshakeTimeoutMs ?? request.timeoutMs, request.timeoutMs),
    rejectUnauthorized: tls.isInsecure !== true,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  });
  const client = new Client(url.origin, {
    maxHeaderSize: 64 * 1024,
    connect: (options, done) =>
      connect(options, (error, socket) => {
        if (error !== null) {
          done(error, null);
          return;
        }
        if ('getPeerCertificate' in socket) certificate = (socket as TLSSocket).getPeerCertificate();
        done(null, socket);
      }),
  });
  return { client, certificate: () => certificate };
}

async function readBody(
  { body, statusCode }: { body: AsyncIterable<Buffer>; statusCode: number },
  { maxBodyBytes: maxBytes, onData, isStreamed = false }: EgressRequest,
): Promise<{ body: Buffer; isBodyCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    await onData?.(chunk, statusCode);
    if (isStreamed) continue;
    chunks.push(chunk);
    size += chunk.length;
    // Exactly as much as allowed is whole only once the answer has ended.
    if (size > maxBytes) return { body: Buffer.concat(chunks).subarray(0, maxBytes), isBodyCut: true };
  }
  return { body: Buffer.concat(chunks), isBodyCut: false };
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
}

/** undici spells its reasons in `code`; the message of some is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

function failureOf(error: unknown, request: EgressRequest, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal.aborted)
    return new AppError('timeout', `No answer within ${request.timeoutMs} ms`, { cause: error });
  return new AppError('network', reasonOf(error), { cause: error });
}

async function requestOnce(
  guard: EgressGuard,
  trust: EgressCaller,
  hop: { url: URL; request: EgressRequest; signal: AbortSignal },
): Promise<EgressResponse> {
  const { url, request, signal } = hop;
  if (!SCHEMES.has(url.protocol)) throw new AppError('invalid', `The scheme ${url.protocol} is not allowed`);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const target = await orAborted(guard.check(url.hostname, port, trust), signal);
  const { client, certificate } = openHop(url, target, request);
  const ask = async (more: Record<string, string>): Promise<EgressResponse> => {
    const answer = await client.request({
      path: `${url.pathname}${url.search}`,
      method: request.method as 'GET',
      headers: { 'accept-encoding': 'identity', ...request.headers, ...more },
      body: request.body,
      signal,
      headersTimeout: request.timeoutMs,
      bodyTimeout: request.timeoutMs,
    });
    const read = await readBody(answer, request);
    const validTo = certificate()?.valid_to;
    return {
      url,
      statusCode: answer.statusCode,
      headers: flatHeaders(answer.headers),
      ...read,
      certificateExpiresAt: validTo === undefined ? null : Date.parse(validTo),
    };
  };
  try {
    let answer = await ask({});
    for (let tries = 0; tries < MAX_CHALLENGES; tries += 1) {
      const more = request.answerChallenge?.(answer) ?? null;
      if (more === null) break;
      answer = await ask(more);
    }
    return answer;
  } finally {
    await client.destroy();
  }
}

/** What another origin may see of a request: that it is asked, not with what. */
function withoutSignIn(request: EgressRequest): EgressRequest {
  if (request.body !== null)
    throw new AppError('network', `The redirect leads to ${request.url.host}, which is not sent the body`);
  const headers = Object.entries(request.headers).filter(([name]) => PUBLIC_HEADERS.has(name.toLowerCase()));
  const { cert: _cert, key: _key, ...tls } = request.tls;
  const { answerChallenge: _answer, ...rest } = request;
  return { ...rest, headers: Object.fromEntries(headers), tls };
}

/** The request for the place a redirect points to. */
function redirected(request: EgressRequest, from: URL, answer: EgressResponse): EgressRequest {
  const location = answer.headers['location'] ?? '';
  if (!URL.canParse(location, from.href)) throw new AppError('network', 'The redirect leads to no address');
  const url = new URL(location, from);
  const isGet = answer.statusCode === 303 || (answer.statusCode < 307 && request.method === 'POST');
  const next = {
    ...request,
    url,
    method: isGet ? 'GET' : request.method,
    body: isGet ? null : request.body,
  };
  return url.origin === from.origin ? next : withoutSignIn(next);
}

/**
 * One request with its redirects. Another host is judged as a stranger's choice from then on, whoever asked: the
 * operator named the first one only. Throws `forbidden`, `invalid`, `network` or `timeout`.
 */
export async function requestThroughGuard(
  guard: EgressGuard,
  trust: EgressCaller,
  call: { request: EgressRequest; signal: AbortSignal },
): Promise<EgressResponse> {
  let { request } = call;
  let hopTrust = trust;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(request.timeoutMs)]);
  try {
    for (let hops = 0; ; hops += 1) {
      const answer = await requestOnce(guard, hopTrust, { url: request.url, request, signal });
      const isRedirect = REDIRECTS.has(answer.statusCode) && answer.headers['location'] !== undefined;
      if (!isRedirect || call.request.maxRedirects === 0) return answer;
      if (hops >= call.request.maxRedirects) throw new AppError('network', `More than ${hops} redirects`);
      const next = redirected(request, request.url, answer);
      if (next.url.host !== request.url.host) hopTrust = 'user';
      request = next;
    }
  } catch (error) {
    throw failureOf(error, request, signal);
  }
}
