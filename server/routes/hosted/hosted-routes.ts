/** Sign-in at the provider, organisations, and the tokens of direct mode (contract §2.3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { TOKEN_BYTES } from '../../identity/secrets.ts';
import type { SessionRow } from '../../identity/session-query.ts';
import { presentOrganization } from '../../presenters/organization-presenter.ts';
import {
  csrfCookieOf,
  deviceTokenOf,
  sessionTokenOf,
  setCsrf,
  setDevice,
  setSession,
} from '../identity/cookies.ts';
import { originOf, returnPathOf } from '../identity/return-to.ts';
import { parse } from '../route-context.ts';
import type { RouteContext } from '../route-context.ts';
import { markOf } from '../../identity/secrets.ts';
import type { HostedParts } from '../../hosted/hosted-parts.ts';

const BASE = '/api/auth';
const limit = (max: number) => ({ rateLimit: { max, timeWindow: '1 minute' } });
const STARTS_PER_MINUTE = 100;
const CREATIONS_PER_MINUTE = 5;

const startSchema = z.object({ return_to: z.string().max(2048).optional() });
const createSchema = z.object({ name: z.string().trim().min(1, 'This field is required').max(100) });
const idSchema = z.object({ id: z.uuid() });

interface HostedRoutes {
  app: FastifyInstance;
  context: RouteContext;
  hosted: HostedParts;
}

async function sessionOf(context: RouteContext, request: FastifyRequest): Promise<SessionRow> {
  const token = sessionTokenOf(request);
  const session = token === null ? null : await context.backend().sessions.find(token);
  if (session === null) throw new AppError('unauthorized', 'Not logged in');
  return session;
}

function registerSignIn({ app, context, hosted }: HostedRoutes): void {
  app.get(`${BASE}/oidc/start`, { config: limit(STARTS_PER_MINUTE) }, async (request, reply) => {
    const query = parse(startSchema, request.query);
    const returnTo = returnPathOf(request, query.return_to);
    if (returnTo === 'forbidden') throw new AppError('invalid', 'The return_to address is not allowed.');
    const cookie = csrfCookieOf(request) ?? context.platform.secret(TOKEN_BYTES);
    setCsrf(request, reply, cookie);
    return reply.redirect(
      await hosted.signIn.begin({ browserMark: markOf('browser', cookie), returnTo }),
      303,
    );
  });

  app.get(`${BASE}/oidc/callback`, { config: limit(STARTS_PER_MINUTE) }, async (request, reply) => {
    const browserMark = markOf('browser', csrfCookieOf(request) ?? '');
    const url = new URL(request.url, originOf(request));
    let found;
    try {
      found = await hosted.signIn.finish({ browserMark, url });
    } catch (error) {
      context.logger.warn({ err: error }, 'a sign-in at the provider failed');
      return reply.redirect('/error?error_code=BAD_SESSION', 303);
    }
    const deviceToken = deviceTokenOf(request) ?? context.platform.secret(TOKEN_BYTES);
    const { token, session } = await context.backend().sessions.open({
      identityId: found.personId,
      deviceMark: markOf('device', deviceToken),
      previousToken: sessionTokenOf(request),
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    });
    // Who belongs to one only needn't choose.
    const own = await hosted.organizations.of(found.personId);
    const [only] = own;
    if (only !== undefined && own.length === 1)
      await hosted.organizations.select(session.session_id, only.id);
    setSession(request, reply, token);
    setDevice(request, reply, deviceToken);
    return reply.redirect(found.returnTo ?? '/', 303);
  });
}

function registerOrganizations({ app, context, hosted }: HostedRoutes): void {
  app.get(`${BASE}/organizations`, async (request) => {
    const session = await sessionOf(context, request);
    const [own, active] = await Promise.all([
      hosted.organizations.of(session.person_id),
      hosted.organizations.active(session.session_id),
    ]);
    return { organizations: own.map(presentOrganization), active: active?.id ?? null };
  });

  app.post(`${BASE}/organizations`, { config: limit(CREATIONS_PER_MINUTE) }, async (request, reply) => {
    const session = await sessionOf(context, request);
    const { name } = parse(createSchema, request.body);
    const { person_id: personId, session_id: sessionId } = session;
    const made = await hosted.organizations.create({ name, personId, sessionId });
    return reply.code(201).send(presentOrganization(made));
  });

  app.post(`${BASE}/organizations/:id/select`, async (request, reply) => {
    const session = await sessionOf(context, request);
    const { id } = parse(idSchema, request.params);
    await hosted.organizations.select(session.session_id, id);
    return reply.code(204).send();
  });
}

function registerTokens({ app, context, hosted }: HostedRoutes): void {
  app.get(`${BASE}/backend-token`, async (request) => {
    const session = await sessionOf(context, request);
    const active = await hosted.organizations.active(session.session_id);
    if (active === null || active.backend_url === null || !active.direct) {
      throw new AppError('not_found', 'This organization is not used directly');
    }
    const { person_id: personId, name, email } = session;
    const { token, expiresAt } = await hosted.tokens.sign({ personId, name, email }, active);
    return { token, expires_at: expiresAt, backend_url: active.backend_url };
  });

  app.get(`${BASE}/jwks.json`, () => hosted.tokens.publicKeys());
}

export function registerHostedRoutes(routes: HostedRoutes): void {
  registerSignIn(routes);
  registerOrganizations(routes);
  registerTokens(routes);
}
