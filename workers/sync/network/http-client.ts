/**
 * Calls the server: timeout, abort, and every failure as an AppError whose code says what the caller may do.
 * An HTML page with status 200 (a captive portal, a proxy's sign-in) is a failure, not an answer.
 */
import { isRecord } from '../../../src/lib/is-record.ts';
import { orAborted } from '../../../src/lib/or-aborted.ts';
import { AppError, ERROR_TEXTS, type ErrorCode } from '../../../src/contract/errors.ts';
import { NO_ORGANIZATION, OTHER_ORGANIZATION } from '../../../src/contract/http/identity/organizations.ts';
import type { SyncPlatform } from '../platform.ts';
import type { ServerClock } from './server-clock.ts';

const TIMEOUT_MS = 30_000;
/** The Date header counts whole seconds. */
const DATE_RESOLUTION_MS = 1000;

export interface HttpRequest {
  path: string;
  /** Another server than the app's own: what `path` follows. It gets no cookie. */
  base?: string;
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** A file is asked for: a success has `bytes` and no text. */
  isBinary?: true;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Only of a file that was asked for. */
  bytes?: Uint8Array;
}

/** An answer that was not a success; `body` is what came with it. */
export class HttpFailure extends AppError {
  readonly retryAfterMs: number | null;
  readonly body: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    facts: { status: number; retryAfterMs: number | null; body: unknown },
  ) {
    super(code, message, {
      status: facts.status,
      retryable: code === 'server' || code === 'rate_limited' || code === 'timeout',
    });
    this.retryAfterMs = facts.retryAfterMs;
    this.body = facts.body;
  }
}

export interface HttpClient {
  /** Resolves for 2xx only. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The same, with the body parsed as JSON. */
  json(request: HttpRequest): Promise<unknown>;
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  429: 'rate_limited',
};

function codeOf(status: number): ErrorCode {
  return CODES[status] ?? (status >= 500 ? 'server' : 'invalid');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: error, retryable: true });
  }
}

/** The body of an answer; null for an empty one. */
export function readJson({ text }: HttpAnswer): unknown {
  return text === '' ? null : parseJson(text);
}

/** What the server says about a failure: `error`, which the identity provider has as an object, else `message` (spec 1 §8). */
function messageIn(body: unknown, code: ErrorCode): string {
  if (isRecord(body)) {
    const said = isRecord(body.error) ? body.error.message : body.error;
    if (typeof said === 'string' && said !== '') return said;
    if (typeof body.message === 'string' && body.message !== '') return body.message;
  }
  return ERROR_TEXTS[code];
}

function retryAfterOf(headers: Headers, serverNowMs: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - serverNowMs);
}

/** The identity's own refusal of a session that lacks the account's second factor. */
function asksForSecondFactor(body: unknown): boolean {
  return isRecord(body) && isRecord(body.error) && body.error.id === 'session_aal2_required';
}

/** True for a refusal that a second factor would lift. */
export function isSecondFactorMissing(error: unknown): boolean {
  return error instanceof HttpFailure && asksForSecondFactor(error.body);
}

function codeIn(body: unknown): unknown {
  return isRecord(body) ? body.code : undefined;
}

/** True when the session works in no organisation yet (contract §2.3). */
export function isOrganizationMissing(error: unknown): boolean {
  return error instanceof HttpFailure && codeIn(error.body) === NO_ORGANIZATION;
}

/** What a refusal means for the session behind it: it has to be looked at again. */
function endsSession(body: unknown): boolean {
  const code = codeIn(body);
  return asksForSecondFactor(body) || code === NO_ORGANIZATION || code === OTHER_ORGANIZATION;
}

function failureOf(answer: HttpAnswer, serverNowMs: number): HttpFailure {
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const body = isJson && answer.text !== '' ? parseJson(answer.text) : null;
  // Nothing is wrong with the rights of such a user: a part of the sign-in is missing, or it is another one now.
  const code = endsSession(body) ? 'unauthorized' : codeOf(answer.status);
  return new HttpFailure(code, messageIn(body, code), {
    status: answer.status,
    retryAfterMs: retryAfterOf(answer.headers, serverNowMs),
    body,
  });
}

/** Why a call that got no answer failed: the caller's abort, our timeout, or the network. */
function silenceOf(error: unknown, caller: AbortSignal | undefined, timeout: AbortSignal): AppError {
  if (caller?.aborted === true) return new AppError('cancelled', ERROR_TEXTS.cancelled, { cause: error });
  if (timeout.aborted) return new AppError('timeout', ERROR_TEXTS.timeout, { cause: error, retryable: true });
  return new AppError('network', ERROR_TEXTS.network, { cause: error, retryable: true });
}

/** A client for the server that the app was loaded from. */
export function createHttpClient(platform: SyncPlatform, clock: ServerClock): HttpClient {
  const exchange = async (request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
    const sentMs = platform.now();
    const response = await platform.fetch((request.base ?? platform.origin) + request.path, {
      method: request.method ?? 'GET',
      headers: {
        accept: request.isBinary === true ? '*/*' : 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      credentials: request.base === undefined ? 'same-origin' : 'omit',
      cache: 'no-store',
      signal,
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    clock.observe({ sentMs, receivedMs: platform.now(), serverMs: date, resolutionMs: DATE_RESOLUTION_MS });
    const { status, headers } = response;
    if (request.isBinary === true && response.ok)
      return { status, headers, text: '', bytes: new Uint8Array(await response.arrayBuffer()) };
    return { status, headers, text: await response.text() };
  };

  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const timeout = new AbortController();
    const cancel = platform.later(request.timeoutMs ?? TIMEOUT_MS, () => timeout.abort());
    const signals = request.signal === undefined ? [timeout.signal] : [timeout.signal, request.signal];
    try {
      const signal = AbortSignal.any(signals);
      // A body that is being read when its request is given up may never end.
      const answer = await orAborted(exchange(request, signal), signal);
      if (answer.status >= 200 && answer.status < 300) return answer;
      throw failureOf(answer, clock.now());
    } catch (error) {
      throw error instanceof AppError ? error : silenceOf(error, request.signal, timeout.signal);
    } finally {
      cancel();
    }
  };

  return {
    send,
    json: async (request) => readJson(await send(request)),
  };
}
