/**
 * In front of an organisation's backend (contract §1.2, §2.3): what isn't about signing in goes there, with the
 * leading /api removed, the session's cookie taken out and a short-lived token put in. Backends are named by the
 * operator only, so nobody can point this server anywhere.
 */
import replyFrom from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import { ORGANIZATION_HEADER } from '../../../src/contract/http/identity/organization-header.ts';
import {
  NO_ORGANIZATION,
  ORGANIZATION_QUERY,
  OTHER_ORGANIZATION,
} from '../../../src/contract/http/identity/organizations.ts';
import type { HostedFront } from './hosted-parts.ts';
import type { OrganizationRow } from './organization-query.ts';
import type { SessionRow } from '../identity/queries/session-query.ts';
import { sessionTokenOf } from '../identity/routes/cookies.ts';
import { frontOf } from './hosted-routes.ts';
import type { HostedContext } from './hosted-routes.ts';
import { isApiPath } from '../../platform/http/api-path.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

/** The backend's slowest answers (runs, snapshots) take minutes. */
const TIMEOUT_MS = 600_000;
/** Answered here whatever the organisation is. */
const OWN_PATHS =
  /^\/api\/(?:auth\/(?:oidc\/|organizations|backend-token|jwks\.json)|\.ory\/|identity\/|healthz|readyz|metrics|_health)/;
const NOT_FORWARDED = new Set(['cookie', 'authorization', 'host', 'origin', 'referer', ORGANIZATION_HEADER]);
const STREAM_WATCH_MS = 2000;
const EVENTS_PATH = /^\/api\/events(?:\?|$)/;

interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  session: SessionRow;
  organization: OrganizationRow;
  /** The session's token. */
  cookie: string;
}

/** The organisation that the caller has in mind; null for callers that don't say. */
function meantFor({ headers, url }: FastifyRequest): string | null {
  const named = headers[ORGANIZATION_HEADER];
  if (typeof named === 'string') return named;
  if (!EVENTS_PATH.test(url)) return null;
  return new URLSearchParams(url.split('?')[1] ?? '').get(ORGANIZATION_QUERY);
}

/** The body as it came: some routes have it parsed by now, some as text. */
function bodyOf({ body }: FastifyRequest) {
  if (body === undefined || body === null) return {};
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { body: text, contentType: 'application/json' };
}

/** Ends a stream that passes through when its session is over or works elsewhere. */
async function watchStream(context: HostedContext, { reply, session, organization, cookie }: Call) {
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort());
  const { sessions } = context.backend();
  const { organizations } = frontOf(context);
  /* oxlint-disable no-await-in-loop -- one look after the other, for as long as somebody listens */
  for (;;) {
    await context.platform.sleep(STREAM_WATCH_MS, gone.signal);
    if (gone.signal.aborted) return;
    const isLive = (await sessions.find(cookie)) !== null;
    const active = isLive ? await organizations.active(session.session_id) : null;
    if (active?.id === organization.id) continue;
    reply.raw.destroy();
    return;
  }
  /* oxlint-enable no-await-in-loop */
}

async function forward(front: HostedFront, { request, reply, session, organization }: Call) {
  if (organization.backend_url === null) return reply.code(500).send({ error: 'Missing target' });
  const { person_id: personId, name, email } = session;
  const isForStream = EVENTS_PATH.test(request.url);
  const { token } = await front.tokens.sign({ personId, name, email, isForStream }, organization);
  const [path = ''] = request.url.replace(/^\/api/, '').split('?');
  return reply.from(trimEnd(organization.backend_url, '/') + path, {
    ...bodyOf(request),
    rewriteRequestHeaders: (_request, headers) => ({
      ...Object.fromEntries(Object.entries(headers).filter(([key]) => !NOT_FORWARDED.has(key))),
      authorization: `Bearer ${token}`,
    }),
    rewriteHeaders: ({ 'set-cookie': _cookie, ...headers }) => ({
      ...headers,
      [ORGANIZATION_HEADER]: organization.id,
    }),
    onError: (failed, { error }) => {
      void failed.send(new AppError('network', 'The backend does not answer', { cause: error, status: 502 }));
    },
  });
}

/** Decides for each call of a session whether it is answered here, at the organisation's backend, or not at all. */
export async function addOrganizationProxy(app: FastifyInstance, context: HostedContext): Promise<void> {
  await app.register(replyFrom, {
    undici: { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
  });
  app.addHook('preHandler', async (request, reply) => {
    if (!isApiPath(request.url) || OWN_PATHS.test(request.url)) return;
    const cookie = sessionTokenOf(request);
    const session = cookie === null ? null : await context.backend().sessions.find(cookie);
    // Without a session it is a bearer's call, or nobody's: the route itself decides.
    if (session === null || cookie === null) return;
    const front = frontOf(context);
    const organization = await front.organizations.active(session.session_id);
    if (organization === null) {
      await reply.code(403).send({ error: 'No organization is chosen', code: NO_ORGANIZATION });
      return;
    }
    const meant = meantFor(request);
    if (meant !== null && meant !== organization.id) {
      await reply.code(403).send({ error: 'Another organization is chosen now', code: OTHER_ORGANIZATION });
      return;
    }
    if (organization.slug === front.ownOrganization) {
      void reply.header(ORGANIZATION_HEADER, organization.id);
      return;
    }
    const call: Call = { request, reply, session, organization, cookie };
    if (EVENTS_PATH.test(request.url)) {
      watchStream(context, call).catch((error: unknown) => {
        context.logger.error({ err: error }, 'a stream could not be watched and is ended');
        reply.raw.destroy();
      });
    }
    await forward(front, call);
  });
}
