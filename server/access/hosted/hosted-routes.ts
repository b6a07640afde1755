/** Sign-in at the provider, organisations, and the tokens of direct mode (contract §2.3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { ORGANIZATION_HEADER } from '../../../src/contract/http/identity/organization-header.ts';
import { OTHER_ORGANIZATION } from '../../../src/contract/http/identity/organizations.ts';
import { TOKEN_BYTES } from '../../platform/crypto/secrets.ts';
import type { SessionRow } from '../identity/queries/session-query.ts';
import { presentOrganization } from './organization-presenter.ts';
import {
  csrfCookieOf,
  deviceTokenOf,
  sessionTokenOf,
  setCsrf,
  setDevice,
  setSession,
} from '../identity/routes/cookies.ts';
import { originOf, returnPathOf } from '../identity/routes/return-to.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../request/route-context.ts';
import type { HostedParts } from './hosted-parts.ts';
import type { Sessions } from '../identity/sessions/sessions.ts';
import { hashToken } from '../../platform/crypto/secrets.ts';
import type { HostedFront } from './hosted-parts.ts';

/** What sign-in at a provider and the organisations' proxy use. */
export type HostedContext = RouteContext<{
  hosted: HostedParts | null;
  sessions: Pick<Sessions, 'find' | 'open'>;
}>;

const BASE = '/api/auth';
const limit = (max: number) => ({ rateLimit: { max, timeWindow: '1 minute' } });
const STARTS_PER_MINUTE = 100;
const CREATIONS_PER_MINUTE = 5;

const startSchema = z.object({ return_to: z.string().max(2048).optional() });
const createSchema = z.object({ name: z.string().trim().min(1, 'This field is required').max(100) });
const idSchema = z.object({ id: z.guid() });

interface HostedRoutes {
  app: FastifyInstance;
  context: HostedContext;
  front: () => HostedFront;
}

/** The front's parts, once the server has started. */
export function frontOf(context: HostedContext): HostedFront {
  const front = context.backend().hosted?.front ?? null;
  if (front === null) throw new AppError('not_found', 'Not found');
  return front;
}

async function sessionOf(context: HostedContext, request: FastifyRequest): Promise<SessionRow> {
  const token = sessionTokenOf(request);
  const session = token === null ? null : await context.backend().sessions.find(token);
  if (session === null) throw new AppError('unauthorized', 'Not logged in');
  return session;
}

function registerSignIn({ app, context, front }: HostedRoutes): void {
  app.get(`${BASE}/oidc/start`, { config: limit(STARTS_PER_MINUTE) }, async (request, reply) => {
    const query = parse(startSchema, request.query);
    const returnTo = returnPathOf(request, query.return_to);
    if (returnTo === 'forbidden') throw new AppError('invalid', 'The return_to address is not allowed.');
    const cookie = csrfCookieOf(request) ?? context.platform.secret(TOKEN_BYTES);
    setCsrf(request, reply, cookie);
    return reply.redirect(
      await front().signIn.begin({ deviceHash: hashToken('browser', cookie), returnTo }),
      303,
    );
  });

  app.get(`${BASE}/oidc/callback`, { config: limit(STARTS_PER_MINUTE) }, async (request, reply) => {
    const deviceHash = hashToken('browser', csrfCookieOf(request) ?? '');
    let found;
    try {
      const url = new URL(request.url, originOf(request));
      found = await front().signIn.finish({ deviceHash, url });
    } catch (error) {
      context.logger.warn({ err: error }, 'a sign-in at the provider failed');
      return reply.redirect('/error?error_code=BAD_SESSION', 303);
    }
    const deviceToken = deviceTokenOf(request) ?? context.platform.secret(TOKEN_BYTES);
    const { token, session } = await context.backend().sessions.open({
      identityId: found.personId,
      deviceMark: hashToken('device', deviceToken),
      previousToken: sessionTokenOf(request),
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    });
    // Who belongs to one only needn't choose.
    const own = await front().organizations.of(found.personId);
    const [only] = own;
    if (only !== undefined && own.length === 1)
      await front().organizations.select(session.session_id, only.id);
    setSession(request, reply, token);
    setDevice(request, reply, deviceToken);
    return reply.redirect(found.returnTo ?? '/', 303);
  });
}

/** After our own session ended: the provider's ends, too, or the next press on Continue would need no password. */
function registerSignOut({ app, context, front }: HostedRoutes): void {
  app.get(`${BASE}/oidc/sign-out`, { config: limit(STARTS_PER_MINUTE) }, async (_request, reply) => {
    try {
      return await reply.redirect((await front().signIn.signOutUrl()) ?? '/login', 303);
    } catch (error) {
      context.logger.warn({ err: error }, 'the provider could not be asked to sign somebody out');
      return reply.redirect('/login', 303);
    }
  });
}

function registerOrganizations({ app, context, front }: HostedRoutes): void {
  app.get(`${BASE}/organizations`, async (request) => {
    const session = await sessionOf(context, request);
    const [own, active] = await Promise.all([
      front().organizations.of(session.person_id),
      front().organizations.active(session.session_id),
    ]);
    return { organizations: own.map(presentOrganization), active: active?.id ?? null };
  });

  app.post(`${BASE}/organizations`, { config: limit(CREATIONS_PER_MINUTE) }, async (request, reply) => {
    const session = await sessionOf(context, request);
    const { name } = parse(createSchema, request.body);
    const { person_id: personId, session_id: sessionId } = session;
    const made = await front().organizations.create({ name, personId, sessionId });
    return reply.code(201).send(presentOrganization(made));
  });

  app.post(`${BASE}/organizations/:id/select`, async (request, reply) => {
    const session = await sessionOf(context, request);
    const { id } = parse(idSchema, request.params);
    await front().organizations.select(session.session_id, id);
    return reply.code(204).send();
  });
}

function registerTokens({ app, context, front }: HostedRoutes): void {
  app.get(`${BASE}/backend-token`, async (request, reply) => {
    const session = await sessionOf(context, request);
    const active = await front().organizations.active(session.session_id);
    if (active === null || active.backend_url === null || !active.direct) {
      throw new AppError('not_found', 'This organization is not used directly');
    }
    const meant = request.headers[ORGANIZATION_HEADER];
    if (meant !== undefined && meant !== active.id) {
      return reply.code(403).send({ error: 'Another organization is chosen now', code: OTHER_ORGANIZATION });
    }
    const { person_id: personId, name, email } = session;
    const { token, expiresAt } = await front().tokens.sign({ personId, name, email }, active);
    return { token, expires_at: expiresAt, backend_url: active.backend_url };
  });

  app.get(`${BASE}/jwks.json`, () => front().tokens.publicKeys());
}

/** Sign-in and sign-out at the provider, organisations, and the tokens of direct mode. */
export function registerHostedRoutes(app: FastifyInstance, context: HostedContext): void {
  const routes: HostedRoutes = { app, context, front: () => frontOf(context) };
  registerSignIn(routes);
  registerSignOut(routes);
  registerOrganizations(routes);
  registerTokens(routes);
}
