/** The identity provider's session call, sign-out and error page (contract §2.2). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { isSameMark } from '../../identity/secrets.ts';
import { logoutTokenOf } from '../../identity/sessions.ts';
import { presentRefusal, presentSession } from '../../presenters/login-flow-presenter.ts';
import { parse } from '../route-context.ts';
import type { RouteContext } from '../route-context.ts';
import { clearSession, sessionTokenOf } from './cookies.ts';
import { CSRF_REFUSAL } from './login-routes.ts';
import { originOf, returnPathOf } from './return-to.ts';

const BASE = '/api/.ory';
const logoutSchema = z.object({ token: z.string().max(128), return_to: z.string().max(2048).optional() });

function refuseSession(reply: FastifyReply) {
  return reply.code(401).send(
    presentRefusal({
      status: 401,
      id: 'session_inactive',
      reason: 'No valid session credentials found in the request.',
      message: 'The request could not be authorized',
    }),
  );
}

function registerLogout(app: FastifyInstance, context: RouteContext): void {
  app.get(`${BASE}/self-service/logout/browser`, async (request, reply) => {
    const token = sessionTokenOf(request);
    const session = token === null ? null : await context.backend().sessions.find(token);
    if (token === null || session === null) return refuseSession(reply);
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
        return reply.code(CSRF_REFUSAL.status).send(presentRefusal(CSRF_REFUSAL));
      }
      await context.backend().sessions.close(token);
    }
    clearSession(request, reply);
    if (/\bjson\b/.test(request.headers.accept ?? '')) return reply.code(204).send();
    const returnTo = returnPathOf(request, query.return_to);
    return reply.redirect(returnTo === null || returnTo === 'forbidden' ? '/login' : returnTo, 303);
  });
}

export function registerSessionRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get(`${BASE}/sessions/whoami`, async (request, reply) => {
    const token = sessionTokenOf(request);
    const session = token === null ? null : await context.backend().sessions.find(token);
    return session === null ? refuseSession(reply) : presentSession(session);
  });

  registerLogout(app, context);

  app.get(`${BASE}/self-service/errors`, async (_request, reply) =>
    reply.code(404).send(
      presentRefusal({
        status: 404,
        reason: 'The error is not known here, or too old.',
        message: 'The requested resource could not be found',
      }),
    ),
  );
}
