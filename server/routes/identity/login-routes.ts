/** Sign-in by the browser flow (contract §2.2): make a flow, read it, submit it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FlowRow } from '../../identity/flow-query.ts';
import type { LoginResult } from '../../identity/login-flows.ts';
import { TOKEN_BYTES } from '../../identity/secrets.ts';
import {
  missingField,
  presentLoginFlow,
  presentRefusal,
  presentSession,
  WRONG_CREDENTIALS,
} from '../../presenters/login-flow-presenter.ts';
import type { FlowMessage, IdentityRefusal } from '../../presenters/login-flow-presenter.ts';
import { parse } from '../route-context.ts';
import type { RouteContext } from '../route-context.ts';
import { csrfCookieOf, deviceTokenOf, sessionTokenOf, setCsrf, setDevice, setSession } from './cookies.ts';
import { originOf, returnPathOf } from './return-to.ts';

const BASE = '/api/.ory/self-service/login';
/** Per address; a whole office behind one address signs in at the start of a shift. */
const SUBMITS_PER_MINUTE = 100;
const FLOWS_PER_MINUTE = 300;
const limit = (max: number) => ({ rateLimit: { max, timeWindow: '1 minute' } });

const startSchema = z.object({
  refresh: z.enum(['true', 'false']).default('false'),
  aal: z.enum(['aal1', 'aal2', '']).default('aal1'),
  return_to: z.string().max(2048).optional(),
});
const flowIdSchema = z.object({ id: z.string().max(64) });
const submitQuerySchema = z.object({ flow: z.string().max(64) });
const submitBodySchema = z.object({
  method: z.literal('password', { error: 'allowed is password' }),
  identifier: z.string().max(320).default(''),
  password: z.string().max(1024).default(''),
  csrf_token: z.string().max(128).default(''),
});

const wantsJson = (request: FastifyRequest) => /\bjson\b/.test(request.headers.accept ?? '');

export const CSRF_REFUSAL: IdentityRefusal = {
  status: 403,
  id: 'security_csrf_violation',
  reason: 'The form was not asked for by this browser, or its cookie is gone.',
  message: 'the request was rejected to protect you from Cross-Site-Request-Forgery',
};
const UNKNOWN_FLOW: IdentityRefusal = {
  status: 404,
  reason: 'There is no such sign-in form.',
  message: 'The requested resource could not be found',
};

function refuse(reply: FastifyReply, refusal: IdentityRefusal) {
  return reply.code(refusal.status).send(presentRefusal(refusal));
}

function refuseExpired(reply: FastifyReply, flow: FlowRow, replacement: FlowRow) {
  return refuse(reply, {
    status: 410,
    id: 'self_service_flow_expired',
    reason: 'The sign-in form was open for too long.',
    message: 'self-service flow expired',
    extra: { expired_at: flow.expires_at, since: flow.issued_at, use_flow_id: replacement.id },
  });
}

function registerStart(app: FastifyInstance, context: RouteContext): void {
  app.get(`${BASE}/browser`, { config: limit(FLOWS_PER_MINUTE) }, async (request, reply) => {
    const query = parse(startSchema, request.query);
    const { loginFlows, sessions } = context.backend();
    const returnTo = returnPathOf(request, query.return_to);
    if (returnTo === 'forbidden') {
      return refuse(reply, {
        status: 400,
        id: 'self_service_flow_return_to_forbidden',
        reason: 'The page to return to is not a page of this server.',
        message: 'the requested return_to address is not allowed',
      });
    }
    if (query.aal === 'aal2') {
      return refuse(reply, {
        status: 400,
        reason: 'Second factors are not set up on this server.',
        message: 'The request was malformed or contained invalid parameters',
      });
    }
    const token = sessionTokenOf(request);
    const isRefresh = query.refresh === 'true';
    if (!isRefresh && token !== null && (await sessions.find(token)) !== null) {
      if (!wantsJson(request)) return reply.redirect(returnTo ?? '/', 303);
      return refuse(reply, {
        status: 400,
        id: 'session_already_available',
        reason: 'A session is there already.',
        message: 'A valid session was detected and thus login is not possible.',
      });
    }
    const csrfCookie = csrfCookieOf(request) ?? context.platform.secret(TOKEN_BYTES);
    setCsrf(request, reply, csrfCookie);
    const origin = originOf(request);
    const flow = await loginFlows.create({
      csrfCookie,
      returnTo,
      isRefresh,
      requestUrl: `${origin}${BASE}/browser`,
    });
    if (!wantsJson(request)) return reply.redirect(`/login?flow=${flow.id}`, 303);
    return presentLoginFlow({ flow, csrfCookie, origin });
  });
}

function registerRead(app: FastifyInstance, context: RouteContext): void {
  app.get(`${BASE}/flows`, { config: limit(FLOWS_PER_MINUTE) }, async (request, reply) => {
    const { id } = parse(flowIdSchema, request.query);
    const csrfCookie = csrfCookieOf(request);
    const { loginFlows } = context.backend();
    const found = await loginFlows.read(id, csrfCookie);
    if (found.kind === 'unknown-flow') return refuse(reply, UNKNOWN_FLOW);
    if (found.kind === 'csrf' || csrfCookie === null) return refuse(reply, CSRF_REFUSAL);
    if (found.kind === 'expired') {
      return refuseExpired(reply, found.flow, await replace(context, found.flow, csrfCookie));
    }
    return presentLoginFlow({ flow: found.flow, csrfCookie, origin: originOf(request) });
  });
}

function replace(context: RouteContext, flow: FlowRow, csrfCookie: string): Promise<FlowRow> {
  return context.backend().loginFlows.create({
    csrfCookie,
    returnTo: flow.return_to,
    isRefresh: flow.is_refresh,
    requestUrl: flow.request_url,
  });
}

interface Submit {
  identifier: string;
  password: string;
  csrf_token: string;
  flow: string;
}

/** The form again with what is missing; null when all is there. */
async function formWithGaps(context: RouteContext, request: FastifyRequest, submit: Submit) {
  const missing = (['identifier', 'password'] as const).filter((name) => submit[name].trim() === '');
  if (missing.length === 0) return null;
  const csrfCookie = csrfCookieOf(request) ?? '';
  const found = await context.backend().loginFlows.read(submit.flow, csrfCookie);
  if (found.kind !== 'found') return null;
  const fieldMessages: Record<string, FlowMessage[]> = {};
  for (const name of missing) fieldMessages[name] = [missingField(name)];
  const { identifier } = submit;
  return presentLoginFlow({
    flow: found.flow,
    csrfCookie,
    origin: originOf(request),
    identifier,
    fieldMessages,
  });
}

interface Exchange {
  context: RouteContext;
  request: FastifyRequest;
  reply: FastifyReply;
}

async function answerSubmit({ context, request, reply }: Exchange, result: LoginResult, identifier: string) {
  const csrfCookie = csrfCookieOf(request) ?? '';
  switch (result.kind) {
    case 'signed-in': {
      setSession(request, reply, result.token);
      setDevice(request, reply, result.deviceToken);
      return reply.send({ session: presentSession(result.session) });
    }
    case 'refused': {
      const view = { flow: result.flow, csrfCookie, origin: originOf(request), identifier };
      return reply.code(400).send(presentLoginFlow({ ...view, messages: [WRONG_CREDENTIALS] }));
    }
    case 'expired':
      return refuseExpired(reply, result.flow, await replace(context, result.flow, csrfCookie));
    case 'unknown-flow':
      return refuse(reply, UNKNOWN_FLOW);
    case 'csrf':
      return refuse(reply, CSRF_REFUSAL);
    case 'limited': {
      reply.header('retry-after', result.retryAfterSeconds);
      return refuse(reply, {
        status: 429,
        reason: 'Too many attempts with this name from here.',
        message: 'Too many attempts. Please wait a moment.',
      });
    }
  }
}

function registerSubmit(app: FastifyInstance, context: RouteContext): void {
  app.post(BASE, { config: limit(SUBMITS_PER_MINUTE) }, async (request, reply) => {
    const { flow } = parse(submitQuerySchema, request.query);
    const body = parse(submitBodySchema, request.body);
    const gaps = await formWithGaps(context, request, { ...body, flow });
    if (gaps !== null) return reply.code(400).send(gaps);
    const result = await context.backend().loginFlows.submit({
      flowId: flow,
      csrfCookie: csrfCookieOf(request),
      csrfToken: body.csrf_token,
      identifier: body.identifier,
      password: body.password,
      ip: request.ip,
      deviceToken: deviceTokenOf(request),
      sessionToken: sessionTokenOf(request),
    });
    return answerSubmit({ context, request, reply }, result, body.identifier);
  });
}

export function registerLoginRoutes(app: FastifyInstance, context: RouteContext): void {
  registerStart(app, context);
  registerRead(app, context);
  registerSubmit(app, context);
}
