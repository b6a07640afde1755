/** The calls of an agent to its upstream server (schema §8.1), through the egress guard as the operator's choice. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import {
  handedActionSchema,
  LONGEST_PULL_MS,
  progressAnswerSchema,
} from '../../../src/contract/http/playbooks/handed-action.ts';
import type { HandedAction, HandedProgress } from '../../../src/contract/http/playbooks/handed-action.ts';
import { APP_VERSION } from '../../../src/contract/version.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { requestThroughGuard, type EgressResponse } from '../../platform/egress/egress-http.ts';
import type { Platform } from '../../platform/platform.ts';
import type { UpstreamSettings } from '../../platform/settings/upstream-settings.ts';
import { programHeaders, type AgentProgram } from '../programs/agent-program.ts';
import type { Backlog } from './outgoing-query.ts';
import { jsonOrNull } from '../../../src/lib/json-or-null.ts';

const compress = promisify(gzip);
const PUSH = 'push';
/** Longer than an upstream server lets a pull wait. */
const TIMEOUT_MS = LONGEST_PULL_MS + 10_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_SAID = 300;
const CONFLICT = 409;
const TAKEN = [200, 201, 204];

/** A server of another kind may say nothing of it. */
const pingAnswer = z
  .object({
    name: z.string().nullable(),
    /** Another program that calls with the same token. */
    second_program: z.object({ hostname: z.string(), since: z.string() }).nullish(),
  })
  .catch({ name: null });
export type Pinged = z.infer<typeof pingAnswer>;
const pulledCanary = z.object({
  id: z.guid(),
  name: z.string().min(1),
  namespace: z.string(),
  labels: z.unknown(),
  annotations: z.unknown(),
  spec: z.record(z.string(), z.unknown()),
  deleted_at: z.string().nullish(),
});
export type PulledCanary = z.infer<typeof pulledCanary>;
const pulledScraper = z.object({
  id: z.guid(),
  name: z.string().min(1),
  namespace: z.string().nullish(),
  description: z.string().nullish(),
  spec: z.record(z.string(), z.unknown()),
  deleted_at: z.string().nullish(),
});
export type PulledScraper = z.infer<typeof pulledScraper>;
const pullAnswer = z.object({ canaries: z.array(pulledCanary).nullable() });
const refusal = z.object({
  error: z.string().optional(),
  data: z.string().optional(),
  field: z.string().optional(),
});
const missingParents = z.object({
  ids: z.array(z.string()),
  missing: z.record(z.string(), z.array(z.guid())).optional(),
});

/** By table; empty where the upstream server says only that something is missing. */
export type MissingAtUpstream = ReadonlyMap<string, Iterable<string>>;

/** What came of a batch. */
export type PushOutcome =
  | { kind: 'stored' }
  /** What its rows hang on is not there. */
  | { kind: 'missing'; missing: MissingAtUpstream }
  /** Some row of it can't be stored as it is. */
  | { kind: 'refused'; error: string }
  /** That server takes no such rows. */
  | { kind: 'not taken' };

export interface UpstreamClient {
  /**
   * Says that the agent is there and what waits at it; answers its name there, null where that is not said. Throws
   * `conflict` where another program has the name.
   */
  ping(backlog: Backlog | null, signal: AbortSignal): Promise<Pinged>;
  push(table: string, rows: readonly unknown[], signal: AbortSignal): Promise<PushOutcome>;
  /** Every live canary that is kept there for this agent. */
  canaries(signal: AbortSignal): Promise<PulledCanary[]>;
  /** Every live scraper that is kept there for this agent. */
  scrapers(signal: AbortSignal): Promise<PulledScraper[]>;
  /** The next action of a playbook; the same one while the claim is the same. Null when none came for a while. */
  takeAction(claim: string, signal: AbortSignal): Promise<HandedAction | null>;
  /** Tells what actions wrote; answers the ids of those that are to be ended. */
  progress(said: HandedProgress, signal: AbortSignal): Promise<string[]>;
}

interface ClientDeps {
  upstream: UpstreamSettings;
  guard: EgressGuard;
  platform: Pick<Platform, 'now'>;
  program: AgentProgram;
}

function jsonOf({ body, isBodyCut }: EgressResponse): unknown {
  if (isBodyCut) throw new AppError('network', 'The answer of the upstream server is too large');
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw new AppError('network', 'The upstream server did not answer with JSON: check UPSTREAM_URL', {
      cause: error,
    });
  }
}

/** Whatever stands in between and answers with a page of its own has taken nothing: it speaks no JSON. */
function saidOf(answer: EgressResponse): unknown {
  return answer.body.toString().trim() === '' ? null : jsonOf(answer);
}

function refuse(answer: EgressResponse): never {
  const said = refusal.safeParse(jsonOf(answer)).data?.error ?? '';
  const hint = answer.statusCode === 401 ? ' (check UPSTREAM_PASSWORD)' : '';
  throw new AppError(
    'network',
    `The upstream server answered ${answer.statusCode}${hint}: ${said.slice(0, MAX_SAID)}`,
  );
}

function missingOf(answer: EgressResponse): MissingAtUpstream | null {
  const { data } = refusal.parse(jsonOf(answer));
  if (data === undefined) return null;
  const parsed = missingParents.safeParse(jsonOrNull(data));
  return parsed.success ? new Map(Object.entries(parsed.data.missing ?? {})) : null;
}

/** Why the rows can't be stored; null for a refusal that is about the agent, or comes from something between. */
function contentRefusal({ statusCode, body }: EgressResponse): string | null {
  if (statusCode === 413) return 'too large';
  if (![400, 403, 409, 422].includes(statusCode)) return null;
  const { error = '', field } = refusal.catch({}).parse(jsonOrNull(body.toString()));
  return error === '' || (statusCode === 403 && field === undefined) ? null : error.slice(0, MAX_SAID);
}

function pushOutcome(answer: EgressResponse): PushOutcome {
  if (TAKEN.includes(answer.statusCode)) {
    saidOf(answer);
    return { kind: 'stored' };
  }
  if (answer.statusCode === 501) return { kind: 'not taken' };
  const missing = answer.statusCode === 409 ? missingOf(answer) : null;
  if (missing !== null) return { kind: 'missing', missing };
  const error = contentRefusal(answer);
  return error === null ? refuse(answer) : { kind: 'refused', error };
}

/** Throws `conflict` where another program has the agent's name. */
function pingedIn(answer: EgressResponse): Pinged {
  if (answer.statusCode === CONFLICT)
    throw new AppError('conflict', refusal.catch({}).parse(jsonOf(answer)).error ?? '');
  if (!TAKEN.includes(answer.statusCode)) refuse(answer);
  return pingAnswer.parse(saidOf(answer));
}

/** Throws `network` or `timeout` where the server is not reached or refuses. */
export function createUpstreamClient({ upstream, guard, platform, program }: ClientDeps): UpstreamClient {
  const authorization = `Basic ${Buffer.from(`${upstream.user}:${upstream.password}`).toString('base64')}`;

  /** Only a push is large, and only there is a packed body taken. */
  async function call(path: string, body: object | null, signal: AbortSignal): Promise<EgressResponse> {
    const isPacked = path === PUSH;
    const text = body === null ? null : JSON.stringify(body);
    const headers = {
      authorization,
      ...programHeaders(program),
      accept: 'application/json',
      ...(text === null ? {} : { 'content-type': 'application/json' }),
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    };
    const request = {
      method: body === null ? 'GET' : 'POST',
      url: new URL(`${upstream.url}/upstream/${path}`),
      headers,
      body: isPacked && text !== null ? await compress(text) : text,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      maxBodyBytes: MAX_ANSWER_BYTES,
      tls: {},
    };
    return requestThroughGuard(guard, 'operator', { request, signal });
  }

  return {
    async ping(backlog, signal) {
      const time = new Date(platform.now()).toISOString();
      const said = { version: APP_VERSION, hostname: program.host, time, backlog };
      const answer = await call('ping', said, signal);
      return pingedIn(answer);
    },
    async push(table, rows, signal) {
      const answer = await call(PUSH, { [table]: rows }, signal);
      return pushOutcome(answer);
    },
    async canaries(signal) {
      const answer = await call('canary/pull', null, signal);
      if (answer.statusCode !== 200) refuse(answer);
      return pullAnswer.parse(jsonOf(answer)).canaries ?? [];
    },
    async takeAction(claim, signal) {
      const answer = await call(`playbook-action?claim=${claim}&wait=${LONGEST_PULL_MS}`, null, signal);
      // A server of another kind that hands nothing over says so.
      if ([204, 404, 501].includes(answer.statusCode)) return null;
      if (answer.statusCode !== 200) refuse(answer);
      return handedActionSchema.parse(jsonOf(answer));
    },
    async progress(said, signal) {
      const answer = await call('playbook-action/progress', said, signal);
      if ([404, 501].includes(answer.statusCode)) return [];
      if (answer.statusCode !== 200) refuse(answer);
      return progressAnswerSchema.parse(jsonOf(answer)).stop;
    },
    async scrapers(signal) {
      const answer = await call('scrapeconfig/pull', null, signal);
      if (answer.statusCode !== 200) refuse(answer);
      return z.array(pulledScraper).nullable().parse(jsonOf(answer)) ?? [];
    },
  };
}
