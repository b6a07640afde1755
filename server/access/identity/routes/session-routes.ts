/** The identity provider's session calls, sign-out, errors that a page shows, and what sign-in pages offer. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { IdentityOptions } from '../../../../src/contract/http/identity/identity.ts';
import { CSRF_REFUSAL, noSession, secondFactorNeeded } from '../flows/refusals.ts';
import type { IdentityRefusal } from '../flows/flow-kind.ts';
import { isSameMark } from '../../../platform/crypto/secrets.ts';
import { logoutTokenOf, suffices } from '../sessions/sessions.ts';
import type { SessionRow } from '../queries/session-query.ts';
import { presentSession } from './login-flow-presenter.ts';
import { parse } from '../../../platform/http/parse.ts';
import type { IdentityContext, IdentityExchange } from './identity-context.ts';
import { clearSession, sessionTokenOf } from './cookies.ts';
import { refuse, wantsJson } from './refuse.ts';
import { originOf, returnPathOf } from './return-to.ts';
import { visitorOf } from './visitor.ts';

const BASE = '/api/.ory';
const logoutSchema = z.object({ token: z.string().max(128), return_to: z.string().max(2048).optional() });
const errorIdSchema = z.object({ id: z.string().max(8192).default('') });
const idSchema = z.object({ id: z.guid() });

const UNKNOWN: IdentityRefusal = {
  status: 404,
  reason: 'It is not known here, or too old.',
  message: 'The requested resource could not be found',
};

/** The session that suffices, or the answer that says what is missing. */
async function requireSession(exchange: IdentityExchange): Promise<SessionRow | null> {
  const { context, request } = exchange;
  const visitor = await visitorOf(context, request);
  const { session } = visitor;
  if (session !== null && suffices(session)) return session;
  await refuse(exchange, session === null ? noSession(null) : secondFactorNeeded(visitor, null));
  return null;
}

function registerLogout(app: FastifyInstance, context: IdentityContext): void {
  app.get(`${BASE}/self-service/logout/browser`, async (request, reply) => {
    const token = sessionTokenOf(request);
    const session = token === null ? null : await context.backend().sessions.find(token);
    if (token === null || session === null) return refuse({ context, request, reply }, noSession(null));
    const logoutToken = logoutTokenOf(token);
    return {
      logout_token: logoutToken,
      logout_url: `${originOf(request)}${BASE}/self-service/logout?token=${logoutToken}`,
    };
  });

  app.get(`${BASE}/self-service/logout`, { exposeHeadRoute: false }, async (request, reply) => {
    const query = parse(logoutSchema, request.query);
    const token = sessionTokenOf(request);
    if (token !== null) {
      // A link on another site can't know the token, so it can't sign anybody out.
      if (!isSameMark(logoutTokenOf(token), query.token)) {
        return refuse({ context, request, reply }, CSRF_REFUSAL);
      }
      await context.backend().sessions.close(token);
    }
    clearSession(request, reply);
    if (wantsJson(request)) return reply.code(204).send();
    const returnTo = returnPathOf(request, query.return_to);
    return reply.redirect(returnTo === null || returnTo === 'forbidden' ? '/login' : returnTo, 303);
  });
}

function registerSessions(app: FastifyInstance, context: IdentityContext): void {
  app.get(`${BASE}/sessions/whoami`, async (request, reply) => {
    const session = await requireSession({ context, request, reply });
    return session === null ? reply : presentSession(session);
  });

  // The others: the one that asks is in /sessions/whoami.
  app.get(`${BASE}/sessions`, async (request, reply) => {
    const session = await requireSession({ context, request, reply });
    if (session === null) return reply;
    const all = await context.backend().sessions.listOf(session.person_id);
    return all.filter((one) => one.session_id !== session.session_id).map(presentSession);
  });

  app.delete(`${BASE}/sessions`, async (request, reply) => {
    const session = await requireSession({ context, request, reply });
    if (session === null) return reply;
    return { count: await context.backend().sessions.closeOthers(session) };
  });

  app.delete(`${BASE}/sessions/:id`, async (request, reply) => {
    const exchange = { context, request, reply };
    const session = await requireSession(exchange);
    if (session === null) return reply;
    const { id } = parse(idSchema, request.params);
    if (id === session.session_id) {
      const reason = 'This is the session that asks: sign out instead.';
      return refuse(exchange, { status: 400, reason, message: 'The request was malformed' });
    }
    const isEnded = await context
      .backend()
      .sessions.closeOne({ identityId: session.person_id, sessionId: id });
    return isEnded ? reply.code(204).send() : refuse(exchange, UNKNOWN);
  });
}

/** A person's sessions, sign-out, and what the sign-in pages need to know. */
export function registerSessionRoutes(app: FastifyInstance, context: IdentityContext): void {
  registerSessions(app, context);
  registerLogout(app, context);

  app.get(`${BASE}/self-service/errors`, async (request, reply) => {
    const { id } = parse(errorIdSchema, request.query);
    const found = context.backend().pageErrors.read(id);
    if (found === null) return refuse({ context, request, reply }, UNKNOWN);
    const createdAt = found.createdAt.toISOString();
    return { id, error: found.error, created_at: createdAt, updated_at: createdAt };
  });

  app.get('/api/identity/options', async (): Promise<IdentityOptions> => context.backend().identityOptions);

  app.get('/api/demo/mail', async (_request, reply) => {
    const { identityOptions, mailbox } = context.backend();
    if (!identityOptions.isDemo) return reply.code(404).send({ error: 'Not found' });
    return mailbox.list();
  });
}
