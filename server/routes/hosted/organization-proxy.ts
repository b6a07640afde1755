/**
 * In front of an organisation's backend (contract §1.2, §2.3): what isn't about signing in goes there, with the
 * leading /api removed, the session's cookie taken out and a short-lived token put in. Backends are named by the
 * operator only, so nobody can point this server anywhere.
 */
import replyFrom from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import type { HostedFront } from '../../hosted/hosted-parts.ts';
import type { OrganizationRow } from '../../hosted/organization-query.ts';
import type { SessionRow } from '../../identity/session-query.ts';
import { sessionTokenOf } from '../identity/cookies.ts';
import type { RouteContext } from '../route-context.ts';
import { frontOf } from './hosted-routes.ts';
import { isApiPath } from '../security-headers.ts';

/** The backend's slowest answers (runs, snapshots) take minutes. */
const TIMEOUT_MS = 600_000;
/** Answered here whatever the organisation is. */
const OWN_PATHS =
  /^\/api\/(?:auth\/(?:oidc\/|organizations|backend-token|jwks\.json)|\.ory\/|identity\/|healthz|readyz|metrics|_health)/;
const NOT_FORWARDED = new Set(['cookie', 'authorization', 'host', 'origin', 'referer']);

interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  session: SessionRow;
  organization: OrganizationRow;
}

/** The body as it came: some routes have it parsed by now, some as text. */
function bodyOf({ body }: FastifyRequest) {
  if (body === undefined || body === null) return {};
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { body: text, contentType: 'application/json' };
}

async function forward(front: HostedFront, { request, reply, session, organization }: Call) {
  if (organization.backend_url === null) return reply.code(500).send({ error: 'Missing target' });
  const { person_id: personId, name, email } = session;
  const { token } = await front.tokens.sign({ personId, name, email }, organization);
  const [path = ''] = request.url.replace(/^\/api/, '').split('?');
  return reply.from(organization.backend_url.replace(/\/+$/, '') + path, {
    ...bodyOf(request),
    rewriteRequestHeaders: (_request, headers) => ({
      ...Object.fromEntries(Object.entries(headers).filter(([key]) => !NOT_FORWARDED.has(key))),
      authorization: `Bearer ${token}`,
    }),
    rewriteHeaders: ({ 'set-cookie': _cookie, ...headers }) => headers,
    onError: (failed, { error }) => {
      void failed.send(new AppError('network', 'The backend does not answer', { cause: error, status: 502 }));
    },
  });
}

/** Decides for each call of a session whether it is answered here, at the organisation's backend, or not at all. */
export async function addOrganizationProxy(app: FastifyInstance, context: RouteContext): Promise<void> {
  await app.register(replyFrom, {
    undici: { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
  });
  app.addHook('preHandler', async (request, reply) => {
    if (!isApiPath(request.url) || OWN_PATHS.test(request.url)) return;
    const cookie = sessionTokenOf(request);
    const session = cookie === null ? null : await context.backend().sessions.find(cookie);
    // Without a session it is a bearer's call, or nobody's: the route itself decides.
    if (session === null) return;
    const front = frontOf(context);
    const organization = await front.organizations.active(session.session_id);
    if (organization === null) {
      await reply.code(403).send({ error: 'No organization is chosen', code: 'no_organization' });
      return;
    }
    if (organization.slug === front.ownOrganization) return;
    await forward(front, { request, reply, session, organization });
  });
}
