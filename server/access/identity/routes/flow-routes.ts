/**
 * The browser flows (contract §2.2), alike for every kind of form: make one, read it, send it. A browser that
 * wants a page is led to the page that shows the form; whoever asks for JSON gets the form itself.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FlowKind, StartQuery, Visitor } from '../flows/flow-kind.ts';
import { SELF_SERVICE } from '../flows/flow-kind.ts';
import type { FlowKindName, FlowRow } from '../flows/flow-query.ts';
import type { Settled } from '../flows/flow-service.ts';
import { moveBrowser, RETURN_TO_REFUSAL } from '../flows/refusals.ts';
import { linkMarkOf } from '../accounts/invitations.ts';
import { TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';
import { presentFlow, presentIdentity, presentSession } from './login-flow-presenter.ts';
import { parse } from '../../../platform/http/parse.ts';
import type { IdentityContext, IdentityExchange } from './identity-context.ts';
import { setCsrf, setDevice, setSession } from './cookies.ts';
import { refuse, wantsJson } from './refuse.ts';
import { originOf, returnPathOf } from './return-to.ts';
import { afterStep, fieldsOf, visitorOf } from './visitor.ts';

/** Per address; a whole office behind one address signs in at the start of a shift. */
const SUBMITS_PER_MINUTE = 100;
const FLOWS_PER_MINUTE = 300;
const limit = (max: number) => ({ rateLimit: { max, timeWindow: '1 minute' } });

const startSchema = z.object({
  refresh: z.enum(['true', 'false', '']).default('false'),
  aal: z.enum(['aal1', 'aal2', '']).default('aal1'),
  return_to: z.string().max(2048).optional(),
  invitation: z.string().max(128).optional(),
});
const flowIdSchema = z.object({ id: z.string().max(64) });
const submitQuerySchema = z.object({ flow: z.string().max(64) });
const METHODS = ['password', 'profile', 'totp', 'lookup_secret', 'code'] as const;
/** A form without a method is understood by its fields. */
const methodSchema = z.enum(METHODS, { error: `allowed are ${METHODS.join(', ')}` }).optional();
const linkSchema = z.object({ token: z.string().max(128) });

/** A browser without the cookie that binds forms to it gets one. */
function boundVisitor({ context, request, reply }: IdentityExchange, visitor: Visitor): Visitor {
  const csrfCookie = visitor.csrfCookie ?? context.platform.secret(TOKEN_BYTES);
  setCsrf(request, reply, csrfCookie);
  return { ...visitor, csrfCookie };
}

/** The form, or the way to the page that shows it. */
async function show(exchange: IdentityExchange, kind: FlowKind, shown: { flow: FlowRow; visitor: Visitor }) {
  const { request, reply } = exchange;
  const { flow, visitor } = shown;
  if (!wantsJson(request)) return reply.redirect(`${kind.page}?flow=${flow.id}`, 303);
  return reply.send(presentFlow({ flow, nodes: await kind.nodes(flow, visitor), origin: visitor.origin }));
}

async function start(exchange: IdentityExchange, name: FlowKindName, query: StartQuery) {
  const { context, request } = exchange;
  const { flows } = context.backend();
  const visitor = boundVisitor(exchange, await visitorOf(context, request));
  const created = await flows.create(name, { query, visitor });
  if (created.kind === 'refused') return refuse(exchange, created.refusal);
  return show(exchange, flows.kind(name), { flow: created.flow, visitor });
}

function registerStart(app: FastifyInstance, context: IdentityContext, name: FlowKindName): void {
  const path = `${SELF_SERVICE}/${name}/browser`;
  app.get(path, { config: limit(FLOWS_PER_MINUTE) }, async (request, reply) => {
    const exchange = { context, request, reply };
    const query = parse(startSchema, request.query);
    const returnTo = returnPathOf(request, query.return_to);
    if (returnTo === 'forbidden') return refuse(exchange, RETURN_TO_REFUSAL);
    return start(exchange, name, {
      returnTo,
      isRefresh: query.refresh === 'true',
      aal: query.aal === 'aal2' ? 'aal2' : 'aal1',
      invitation: query.invitation === undefined ? null : linkMarkOf(query.invitation),
      linkToken: null,
      requestUrl: `${originOf(request)}${path}`,
    });
  });
}

function registerRead(app: FastifyInstance, context: IdentityContext, name: FlowKindName): void {
  app.get(`${SELF_SERVICE}/${name}/flows`, { config: limit(FLOWS_PER_MINUTE) }, async (request, reply) => {
    const { id } = parse(flowIdSchema, request.query);
    const { flows } = context.backend();
    const visitor = await visitorOf(context, request);
    const found = await flows.read(name, { id, visitor });
    if (found.kind === 'refused') return refuse({ context, request, reply }, found.refusal);
    const { flow } = found;
    const nodes = await flows.kind(name).nodes(flow, visitor);
    return presentFlow({ flow, nodes, origin: visitor.origin });
  });
}

async function answerForm(
  exchange: IdentityExchange,
  kind: FlowKind,
  shown: { outcome: Extract<Settled, { kind: 'form' }>; visitor: Visitor },
) {
  const { context, request, reply } = exchange;
  const { flow, isAccepted, cookies, continueWith } = shown.outcome;
  if (!wantsJson(request)) return reply.redirect(`${kind.page}?flow=${flow.id}`, 303);
  const visitor = await afterStep(context, shown.visitor, cookies);
  const nodes = await kind.nodes(flow, visitor);
  const body = presentFlow({ flow, nodes, origin: visitor.origin });
  return reply
    .code(isAccepted ? 200 : 400)
    .send(continueWith === undefined ? body : { ...body, continue_with: continueWith });
}

async function answerSubmit(
  exchange: IdentityExchange,
  kind: FlowKind,
  { outcome, visitor }: { outcome: Settled; visitor: Visitor },
) {
  const { request, reply } = exchange;
  const cookies = outcome.kind === 'refused' ? undefined : outcome.cookies;
  if (cookies?.sessionToken !== undefined) setSession(request, reply, cookies.sessionToken);
  if (cookies?.deviceToken !== undefined) setDevice(request, reply, cookies.deviceToken);
  switch (outcome.kind) {
    case 'form':
      return answerForm(exchange, kind, { outcome, visitor });
    case 'signed-in': {
      const { session, continueWith, returnTo } = outcome;
      if (!wantsJson(request)) return reply.redirect(returnTo ?? '/', 303);
      const more = continueWith === undefined ? {} : { continue_with: continueWith };
      return reply.send({ session: presentSession(session), identity: presentIdentity(session), ...more });
    }
    case 'moved':
      return refuse(exchange, moveBrowser(outcome.to));
    case 'refused':
      return refuse(exchange, outcome.refusal);
  }
}

function registerSubmit(app: FastifyInstance, context: IdentityContext, name: FlowKindName): void {
  app.post(`${SELF_SERVICE}/${name}`, { config: limit(SUBMITS_PER_MINUTE) }, async (request, reply) => {
    const { flow: id } = parse(submitQuerySchema, request.query);
    const fields = fieldsOf(request.body);
    parse(z.object({ method: methodSchema }), { method: fields.get('method') });
    const { flows } = context.backend();
    const visitor = await visitorOf(context, request);
    const outcome = await flows.submit(name, { id, fields, visitor });
    return answerSubmit({ context, request, reply }, flows.kind(name), { outcome, visitor });
  });
}

/** Where the links of mails lead: a form with the link's token filled in, for this very browser. */
function registerLink(
  app: FastifyInstance,
  context: IdentityContext,
  name: 'recovery' | 'verification',
): void {
  const path = `${SELF_SERVICE}/${name}`;
  app.get(path, { config: limit(FLOWS_PER_MINUTE) }, async (request, reply) => {
    const { token } = parse(linkSchema, request.query);
    return start({ context, request, reply }, name, {
      returnTo: null,
      isRefresh: false,
      aal: 'aal1',
      invitation: null,
      linkToken: token,
      requestUrl: `${originOf(request)}${path}`,
    });
  });
}

const KINDS = ['login', 'registration', 'recovery', 'verification', 'settings'] as const;

/** The forms of the built-in identity: each kind is started, read and sent here. */
export function registerFlowRoutes(app: FastifyInstance, context: IdentityContext): void {
  for (const name of KINDS) {
    registerStart(app, context, name);
    registerRead(app, context, name);
    registerSubmit(app, context, name);
  }
  registerLink(app, context, 'recovery');
  registerLink(app, context, 'verification');
}
