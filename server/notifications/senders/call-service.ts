/**
 * Calls of services' HTTP APIs through the egress guard: no redirects, short answers, and reasons without anything that
 * the address keeps secret.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { isRecord, recordOf } from '../../../src/lib/is-record.ts';
import { createRedactor, type Redactor } from '../../platform/crypto/redact.ts';
import { requestThroughGuard, type EgressResponse } from '../../platform/egress/egress-http.ts';
import { retryAfterMs } from '../../platform/egress/retry-after.ts';
import type { ServiceAddress } from '../../../src/domain/notification/service-address.ts';
import { MESSAGES } from './messages.ts';
import type { SenderContext, SendOutcome, ServiceCall } from './sender.ts';
import { jsonOrNull } from '../../../src/lib/json-or-null.ts';

/** Connections and rules are written through the API. */
export const TRUST = 'user';
const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 64 * 1024;
const LONGEST_REASON = 300;
const LONGEST_WAIT_MS = 3_600_000;
/** Of client errors these pass by themselves. */
const PASSING = new Set([408, 425, 429]);
/** Parts of an address that sign in. */
const SECRET_PARTS = ['password', 'token', 'tokena', 'tokenb', 'key'];
/** A word of a path is shorter than a token. */
const SHORTEST_SECRET_PART = 16;

/** Takes out what of the address signs in; services quote it in their refusals. */
export function addressRedactor({ parts, url }: ServiceAddress): Redactor {
  const redactor = createRedactor();
  for (const name of SECRET_PARTS) redactor.note(parts[name] ?? '');
  if (url !== null && URL.canParse(url)) {
    const { password, pathname, searchParams } = new URL(url);
    const inPath = pathname.split('/').filter((part) => part.length >= SHORTEST_SECRET_PART);
    for (const text of [password, ...inPath, ...searchParams.values()]) redactor.note(text);
  }
  return redactor;
}

/** Where services put the words of a refusal. */
const WORDS = ['message', 'error', 'errors', 'description', 'errorDescription', 'msg', 'detail'];

function reasonsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(reasonsIn);
  return isRecord(value) ? WORDS.flatMap((name) => reasonsIn(value[name])) : [];
}

/** The answer as JSON; an empty record when it is none. */
export function jsonOf(answer: EgressResponse): Readonly<Record<string, unknown>> {
  // Many services answer with a word, or a page: only those that must say something are asked further.
  return recordOf(jsonOrNull(answer.body.toString('utf8')));
}

/** Services that tell in the body how long to wait do it in seconds, Matrix in ms. */
function waitIn(json: Readonly<Record<string, unknown>>): number | null {
  const { retry_after: top, retry_after_ms: ms } = json;
  const nested = recordOf(json['parameters'])['retry_after'];
  const inMs = typeof ms === 'number' ? ms : typeof top === 'number' ? top * 1000 : null;
  const waitMs = inMs ?? (typeof nested === 'number' ? nested * 1000 : null);
  return waitMs === null ? null : Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
}

/** What a refusal means for the next attempt. */
export function refusalOf(answer: EgressResponse, { address, now }: SenderContext): SendOutcome {
  const json = jsonOf(answer);
  const words = [...new Set(reasonsIn(json))].join('; ').slice(0, LONGEST_REASON);
  const { host } = new URL(address.origin);
  const reason = MESSAGES.answered(host, answer.statusCode, addressRedactor(address).text(words));
  if (answer.statusCode < 500 && !PASSING.has(answer.statusCode)) return { kind: 'failed', reason };
  const header = retryAfterMs(answer.headers['retry-after'], now());
  return { kind: 'later', reason, retryAfterMs: header ?? waitIn(json) };
}

/** Of these the guard and the network say that the same call can work later. */
const LATER: ReadonlySet<string> = new Set(['network', 'timeout', 'rate_limited', 'server']);

/** What was thrown as an outcome; what isn't an AppError may quote a secret, so only its kind is told. */
export function outcomeOfError(error: unknown, address: ServiceAddress | null): SendOutcome {
  if (!(error instanceof AppError)) {
    const kind = error instanceof Error ? error.name : 'unknown';
    return { kind: 'later', reason: MESSAGES.unknown(kind), retryAfterMs: null };
  }
  const reason = address === null ? error.message : addressRedactor(address).text(error.message);
  if (LATER.has(error.code)) return { kind: 'later', reason, retryAfterMs: null };
  return { kind: 'failed', reason };
}

/** One request; any status is an answer. */
export function ask(call: ServiceCall, { address, guard, signal }: SenderContext): Promise<EgressResponse> {
  return requestThroughGuard(guard, TRUST, {
    signal,
    request: {
      method: call.method,
      url: new URL(call.url),
      headers: { 'user-agent': 'holdfast', accept: 'application/json', ...call.headers },
      body: call.body ?? null,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      maxBodyBytes: MAX_BODY_BYTES,
      tls: { isInsecure: address.isInsecureTls },
    },
  });
}

/** Whether the service took it. */
export const isTaken = ({ statusCode }: EgressResponse): boolean => statusCode >= 200 && statusCode < 300;
