/** A refusal of the identity: JSON for whoever asked for it, else the page that it leads to (contract §2.2). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityRefusal } from '../../identity/flows/flow-kind.ts';
import { deleteOldFlowErrors, insertFlowError } from '../../identity/flow-error-query.ts';
import { presentError, presentRefusal } from '../../presenters/login-flow-presenter.ts';
import type { RouteContext } from '../route-context.ts';

export const ERROR_KEPT_MS = 3_600_000;

export const wantsJson = (request: FastifyRequest) => /\bjson\b/.test(request.headers.accept ?? '');

export interface Exchange {
  context: RouteContext;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Keeps the error for the page that shows it; answers that page's address. */
async function errorPage({ context }: Exchange, refusal: IdentityRefusal): Promise<string> {
  const { db } = context.backend();
  const id = context.platform.newId();
  const nowMs = context.platform.now();
  await deleteOldFlowErrors(db, new Date(nowMs - ERROR_KEPT_MS));
  await insertFlowError(db, { id, error: presentError(refusal), nowAt: new Date(nowMs) });
  return `/error?id=${id}`;
}

export async function refuse(exchange: Exchange, refusal: IdentityRefusal) {
  const { request, reply } = exchange;
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  if (wantsJson(request)) return reply.code(refusal.status).send(presentRefusal(refusal));
  return reply.redirect(refusal.page ?? (await errorPage(exchange, refusal)), 303);
}
