/** http: one request with its redirects, judged by status, time, content and certificate (schema §4.1, §10). */
import { AppError } from '../../../../src/contract/errors.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import type { EgressRequest, EgressResponse } from '../../../platform/egress/egress-http.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { httpSchema } from './http-spec.ts';
import type { HttpSpec } from './http-spec.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { failed, invalid, notRun, passed } from '../../kind/check-kind.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { connectionOf, signInOf } from '../../kind/service-place.ts';
import { crawl } from './crawl.ts';
import { digestAuthorization } from './digest-sign-in.ts';
import { buildHttpRequest } from './http-request.ts';
import { jsonComplaint } from './json-content.ts';
import { ntlmSignIn } from '../../../platform/egress/ntlm-sign-in.ts';
import { startStopwatch } from '../../kind/stopwatch.ts';
import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';

const DAY_MS = 86_400_000;

/** Header names as servers and the product's expressions write them: `content-type` → `Content-Type`. */
function canonicalName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
}

function dataOf(response: EgressResponse, elapsedMs: number, nowMs: number): Record<string, unknown> {
  const content = response.body.toString('utf8');
  const json = jsonOrNull(content);
  return {
    code: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [canonicalName(name), value]),
    ),
    elapsed: elapsedMs,
    ...(response.certificateExpiresAt === null ? {} : { sslAge: response.certificateExpiresAt - nowMs }),
    content,
    json,
    results: {},
  };
}

/** What is said of an answer of which not all was read. */
const cutOf = ({ isBodyCut, body }: EgressResponse): string | null =>
  isBodyCut ? `the answer is larger than ${body.length} bytes; the rest is not read` : null;

const withCut = (response: EgressResponse, reason: string): string =>
  [reason, cutOf(response)].filter((part) => part !== null).join(': ');

/** Why the answer doesn't do, or null. A test script replaces the default rule of any 2xx, not a list that is written down. */
function complaint(spec: HttpSpec, response: EgressResponse, data: Record<string, unknown>): string | null {
  const code = response.statusCode;
  const codes = spec.responseCodes ?? [];
  if (codes.length > 0 && !codes.includes(code)) return `status ${code}, expected ${codes.join(', ')}`;
  if (codes.length === 0 && spec.test === undefined && (code < 200 || code > 299))
    return `status ${code}, expected 2xx`;
  const wanted = spec.responseContent ?? '';
  if (wanted !== '' && !String(data['content']).includes(wanted))
    return withCut(response, `the answer does not contain "${wanted}"`);
  if (spec.responseJSONContent) {
    const reason = jsonComplaint(spec.responseJSONContent, data['json']);
    if (reason !== null) return withCut(response, reason);
  }
  if (spec.maxSSLExpiry !== undefined && spec.maxSSLExpiry > 0) {
    const left = data['sslAge'];
    if (typeof left !== 'number') return 'there is no certificate to judge';
    if (left < spec.maxSSLExpiry * DAY_MS)
      return `the certificate ends in ${Math.floor(left / DAY_MS)} days, at least ${spec.maxSSLExpiry} wanted`;
  }
  return null;
}

/** The answer; with digest sign-in, the one to the request that answers the challenge. */
async function answerTo(
  spec: HttpSpec,
  request: EgressRequest,
  context: KindContext,
): Promise<EgressResponse> {
  const { guard, trust, signal } = context;
  if (spec.ntlm === true || spec.ntlmv2 === true) {
    const signIn = await signInOf(spec, await connectionOf(spec, context), context);
    const answerChallenge = ntlmSignIn(signIn);
    return requestThroughGuard(guard, trust, { request: { ...request, answerChallenge }, signal });
  }
  const first = await requestThroughGuard(guard, trust, { request, signal });
  if (spec.digest !== true || first.statusCode !== 401) return first;
  const { username, password } = await signInOf(spec, await connectionOf(spec, context), context);
  const authorization = digestAuthorization(first.headers['www-authenticate'] ?? '', {
    username,
    password,
    method: request.method,
    path: `${request.url.pathname}${request.url.search}`,
    clientNonce: context.platform.newId(),
  });
  const signed = { ...request, headers: { ...request.headers, authorization } };
  return requestThroughGuard(guard, trust, { request: signed, signal });
}

/** The first page is as it should be: where it leads. The duration stays that of the first page. */
async function crawled(
  spec: HttpSpec,
  first: {
    request: EgressRequest;
    response: EgressResponse;
    data: Record<string, unknown>;
    durationMs: number;
  },
  context: KindContext,
): Promise<KindResult> {
  const { request, response: answer, data, durationMs } = first;
  const { pages, missing, isCut } = await crawl(spec.crawl ?? {}, { request, answer }, context);
  const bad = pages
    .filter(({ url }) => missing.includes(url))
    .map(({ url, code, error, from }) => ({ url, code, error, from }));
  const results = { pages: pages.length, missing: bad.slice(0, 50), isCut };
  const more = { ...data, pages, missing, results };
  const shown = missing.slice(0, 5).join(', ');
  return missing.length > 0 && spec.test === undefined
    ? failed(`${missing.length} of ${pages.length} links answer badly: ${shown}`, durationMs, more)
    : passed(durationMs, more, `${pages.length} links followed`);
}

/** The duration is that of the request, without what the specification makes of the answer. */
async function runHttpCheck(spec: HttpSpec, context: KindContext): Promise<KindResult> {
  const watch = startStopwatch(context.platform);
  try {
    const request = await buildHttpRequest(spec, context);
    watch.restart();
    const response = await answerTo(spec, request, context);
    const durationMs = watch.elapsedMs();
    const data = dataOf(response, durationMs, context.platform.now());
    if (spec.thresholdMillis && durationMs > spec.thresholdMillis)
      return failed(`took ${durationMs} ms, allowed are ${spec.thresholdMillis} ms`, durationMs, data);
    const reason = complaint(spec, response, data);
    if (spec.crawl !== undefined && reason === null)
      return await crawled(spec, { request, response, data, durationMs }, context);
    return reason === null ? passed(durationMs, data, cutOf(response)) : failed(reason, durationMs, data);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return notRun(error.message);
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    return failed(reasonOf(error), watch.elapsedMs());
  } finally {
    watch.stop();
  }
}

/** A web address. */
export const httpKind = registeredKind({
  key: 'http',
  title: 'HTTP',
  needs: 'nothing',
  testedAgainst: 'real service',
  example: { name: 'front page', url: 'https://example.com', responseCodes: [200], maxSSLExpiry: 14 },
  schema: httpSchema,
  takesValues: true,
  durations: ['elapsed', 'sslAge'],
  run: runHttpCheck,
});
