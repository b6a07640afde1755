/**
 * `POST /playbook/webhook/{path}`: a stranger sets a playbook off, by the playbook's own authentication (schema §7.4).
 * Invariants: nothing of the body is read before the caller is known; a playbook without authentication is not to be
 * had; what the caller signed in with is not kept; a repeated delivery is the run that it made.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import { openContent } from '../../platform/crypto/sealed-values.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { deepJsonRefusal } from '../../platform/http/json-depth.ts';
import { unstorableRefusal } from '../../platform/http/storable-body.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { RUN_HEADER } from '../run-header.ts';
import { specOfPlaybook } from '../requests/runnable-playbooks.ts';
import { valueReader } from '../running/render-context.ts';
import { playbooksOfWebhook } from './cause-query.ts';
import type { Cause, WebhookPlaybook } from './cause-query.ts';
import { noteUnstarted, startTriggered } from './start-triggered.ts';
import type { TriggerDeps } from './start-triggered.ts';
import { verifyWebhook } from './webhook-auth.ts';
import type { WebhookAuthentication } from './webhook-auth.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

const MOST_BYTES = 512 * 1024;
const config = { rateLimit: { max: 120, timeWindow: '1 minute' } };
/** What somebody signs in with, and what proxies say. */
const UNKEPT =
  /^(authorization|proxy-.*|cookie|x-hub-signature.*|svix-signature|webhook-signature|x-forwarded-.*|forwarded)$/;
const UNKNOWN = 'there is no such webhook, or you may not call it';

export interface WebhookDeps extends TriggerDeps {
  guard: EgressGuard;
  secret: SecretReader;
}

/** Null where the playbook has none. */
async function authenticationOf(
  playbook: WebhookPlaybook,
  deps: WebhookDeps,
): Promise<WebhookAuthentication | null> {
  const { id, name, opened, sealed, author } = playbook;
  const content = openContent(deps.sealer, { id, owner: `playbook "${name}"`, content: opened, sealed });
  const spec = specOfPlaybook({ name, spec: z.record(z.string(), z.unknown()).parse(content) });
  const { basic, github, svix, jwt } = spec.on?.webhook?.authentication ?? {};
  const scope = createSecretScope({
    author,
    findConnection: () => Promise.resolve(null),
    mounted: deps.secret,
    guard: deps.guard,
    redactor: createRedactor(),
  });
  // Nobody's template: what is compared stands as it was written.
  const read = valueReader((text) => Promise.resolve(text), scope.mounted);
  if (basic !== undefined)
    return { kind: 'basic', username: await read(basic.username), password: await read(basic.password) };
  if (github !== undefined) return { kind: 'github', token: await read(github.token) };
  if (svix !== undefined)
    return { kind: 'svix', secret: await read(svix.secret), tolerance: svix.timestampTolerance ?? '' };
  return jwt === undefined ? null : { kind: 'jwt', secret: await read(jwt.secret) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid', 'the body is not JSON', { cause: error });
  }
}

function bodyOf(body: Buffer): unknown {
  if (body.length === 0) return null;
  const text = body.toString('utf8');
  const refusal = deepJsonRefusal(text);
  if (refusal !== null) throw refusal;
  const value = jsonOf(text);
  const unstorable = unstorableRefusal(text, value);
  if (unstorable !== null) throw unstorable;
  return value;
}

/** As templates see it: `request.body`, `request.headers`, `request.query`. */
function requestOf({ headers, query, url }: FastifyRequest, body: unknown): Record<string, unknown> {
  const kept = Object.entries(headers).filter(([name]) => !UNKEPT.test(name));
  return { url, headers: Object.fromEntries(kept), query: { ...(isRecord(query) ? query : {}) }, body };
}

function causeOf(
  request: FastifyRequest,
  path: string,
  { delivery, id }: { delivery: string | null; id: string },
): Cause {
  const caller = z.guid().safeParse(request.headers[RUN_HEADER]);
  return {
    kind: 'webhook',
    sourceKey: delivery ?? id,
    detail: `${path} called from ${request.ip}`,
    parent: caller.success ? { runId: caller.data, isCertain: true } : null,
  };
}

async function playbookOf(request: FastifyRequest, body: Buffer, deps: WebhookDeps) {
  const asked = z.object({ '*': z.string() }).parse(request.params)['*'];
  const path = trimEnd(asked.replace(/^\/+/, ''), '/');
  const [playbook, other] = path === '' ? [] : await playbooksOfWebhook(deps.db, path);
  const about = { path, ip: request.ip, playbook: playbook?.id };
  const refuse = (why: string): never => {
    deps.logger.warn({ ...about, why }, 'a call of a webhook was refused');
    throw new AppError('unauthorized', UNKNOWN);
  };
  if (playbook === undefined) return refuse('no playbook has it');
  const auth = await authenticationOf(playbook, deps);
  if (auth === null) return refuse('the playbook has no authentication for it');
  const verdict = await verifyWebhook(auth, { headers: request.headers, body, nowMs: deps.platform.now() });
  if (!verdict.ok) return refuse('not authenticated');
  if (other !== undefined) throw new AppError('conflict', `more than one playbook has the webhook ${path}`);
  return { playbook, path, delivery: verdict.delivery };
}

/** Whoever calls has no account here. */
export function registerWebhookRoutes(app: FastifyInstance, open: () => WebhookDeps): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: MOST_BYTES },
      (_request, body, next) => {
        next(null, body);
      },
    );
    scope.post('/api/playbook/webhook/*', { config, bodyLimit: MOST_BYTES }, async (request, reply) => {
      const deps = open();
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { playbook, path, delivery } = await playbookOf(request, body, deps);
      const cause = causeOf(request, path, { delivery, id: deps.platform.newId() });
      const asked = { playbook, target: null, params: {}, request: requestOf(request, bodyOf(body)), cause };
      const outcome = await startTriggered(asked, deps).catch(async (error: unknown) => {
        // The caller is told, and is not who can mend it.
        await noteUnstarted(asked, error, deps);
        throw error;
      });
      if (outcome.kind === 'stopped') throw new AppError('conflict', outcome.reason);
      return reply.code(201).send({ run_id: outcome.runId, starts_at: outcome.startsAt });
    });
    done();
  });
}
