/** One HTTP request of a kind at its service's interface: judged by the guard, bounded in time and bytes. */
import { AppError } from '../../../src/contract/errors.ts';
import { requestThroughGuard } from '../../platform/egress/egress-http.ts';
import type { EgressResponse, EgressTls } from '../../platform/egress/egress-http.ts';
import type { Probe } from './probe.ts';
import type { ServicePlace } from './service-place.ts';
import { agreeOnTls, placeUrl, signInAt } from './service-place.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

/** What the product has always called itself to the services that it checks. */
export const USER_AGENT = 'canary-checker/holdfast';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface HttpCall {
  url: URL;
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
  tls?: EgressTls;
  maxRedirects?: number;
  maxBytes?: number;
}

/** The answer, whatever its status; throws for one that is longer than allowed. */
export async function callHttp(probe: Probe, call: HttpCall): Promise<EgressResponse> {
  const maxBytes = call.maxBytes ?? MAX_ANSWER_BYTES;
  const answer = await requestThroughGuard(probe.guard, probe.trust, {
    signal: probe.signal,
    request: {
      method: call.method ?? 'GET',
      url: call.url,
      headers: { 'user-agent': USER_AGENT, ...call.headers },
      body: call.body ?? null,
      timeoutMs: probe.limitMs,
      maxRedirects: call.maxRedirects ?? 0,
      maxBodyBytes: maxBytes,
      tls: call.tls ?? {},
    },
  });
  if (answer.isBodyCut) throw new AppError('bad_payload', `the answer is longer than ${maxBytes} bytes`);
  return answer;
}

/** The JSON of a good answer; any other is told with its status and the beginning of its text. */
export async function callJson(probe: Probe, call: HttpCall): Promise<unknown> {
  const headers = { accept: 'application/json', ...call.headers };
  const answer = await callHttp(probe, { ...call, headers });
  const body = answer.body.toString('utf8');
  if (answer.statusCode < 200 || answer.statusCode > 299) {
    const told = body.trim().slice(0, 300);
    const { statusCode: status } = answer;
    throw new AppError('network', `status ${status}${told === '' ? '' : `: ${told}`}`, { status });
  }
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new AppError('bad_payload', 'the answer is not JSON', { cause: error });
  }
}

/** `authorization` for a service, or no header where there is nothing to sign in with. */
export function authorization({
  username,
  password,
  bearer,
}: {
  username: string;
  password: string;
  bearer: string;
}): Record<string, string> {
  if (bearer !== '') return { authorization: `Bearer ${bearer}` };
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** The base of a service's interface, how to sign in, and calls below it. */
export function httpService(place: ServicePlace) {
  const url = placeUrl(place.address, ['http', 'https']);
  agreeOnTls(place.wantsTls, url.protocol === 'https:');
  const signIn = signInAt(url, place);
  const headers = authorization({ ...signIn, bearer: signIn.username === '' ? place.bearer : '' });
  url.username = '';
  url.password = '';
  const base = trimEnd(url.href.split('?', 1)[0] ?? '', '/');
  return {
    /** `path` begins with a slash. */
    json: (probe: Probe, path: string, call: Omit<HttpCall, 'url'> = {}): Promise<unknown> =>
      callJson(probe, {
        ...call,
        url: new URL(`${base}${path}`),
        headers: { ...headers, ...call.headers },
        tls: place.tls,
      }),
  };
}
