/**
 * How kinds call a service: every request through the egress guard, with one set of limits, and a failure told in
 * one sentence that names the service and never repeats what it answered to a stranger's question.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../../../src/contract/errors.ts';
import { requestThroughGuard } from '../../../../platform/egress/egress-http.ts';
import type { EgressResponse, EgressTls } from '../../../../platform/egress/egress-http.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';

export interface ServiceCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | null;
  tls?: EgressTls | undefined;
  /** Follows redirects of the same call; 0 answers them as they are. */
  maxRedirects?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One page of a large list may take its time; a service that says nothing for longer is not there. */
const TIMEOUT_MS = 30_000;
/** A page of the largest objects seen (500 config maps of 1 MB are split by their server long before). */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The parts of a context that a call needs. */
export type CallContext = Pick<ScrapeContext, 'guard' | 'trust' | 'signal'>;

/** One call; a body over the limit fails, as half a document is none. */
export async function callService(context: CallContext, call: ServiceCall): Promise<EgressResponse> {
  const { guard, trust } = context;
  const signal = call.signal === undefined ? context.signal : AbortSignal.any([context.signal, call.signal]);
  const request = {
    method: call.method,
    url: call.url,
    headers: call.headers,
    body: call.body,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: call.maxRedirects ?? 0,
    maxBodyBytes: MAX_BODY_BYTES,
    tls: call.tls ?? {},
  };
  const answer = await requestThroughGuard(guard, trust, { request, signal });
  if (answer.isBodyCut)
    throw new AppError('bad_payload', `${call.url.host} answered more than ${MAX_BODY_BYTES} bytes`);
  return answer;
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
};
const HINTS: Readonly<Record<number, string>> = {
  401: 'the credentials are not accepted',
  403: 'the credentials may not read this',
  404: 'there is no such thing, or the credentials may not see it',
  429: 'it is asked too often; scrape less often',
};

/** The error of an answer that is none of the good ones. */
export function refusalOf(what: string, statusCode: number, detail = ''): AppError {
  const hint = HINTS[statusCode] ?? (statusCode >= 500 ? 'the service failed' : 'the request was refused');
  const more = detail === '' ? '' : ` (${detail.slice(0, 200)})`;
  return new AppError(CODES[statusCode] ?? 'server', `${what}: HTTP ${statusCode}, ${hint}${more}`, {
    status: statusCode,
  });
}

/** The JSON of a good answer; throws with a sentence about `what` otherwise. */
export function jsonOf(what: string, answer: EgressResponse): unknown {
  if (answer.statusCode < 200 || answer.statusCode > 299) throw refusalOf(what, answer.statusCode);
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch (error) {
    throw new AppError('bad_payload', `${what}: the answer is not JSON`, { cause: error });
  }
}
