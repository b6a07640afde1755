/** A refusal of the identity: JSON for whoever asked for it, else the page that it leads to (contract §2.2). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityRefusal } from '../flows/flow-kind.ts';
import { presentError, presentRefusal } from './login-flow-presenter.ts';
import type { RouteContext } from '../../request/route-context.ts';
import type { PageErrors } from '../accounts/page-errors.ts';

/** By the Accept header; browsers that open a page do not name JSON there. */
export const wantsJson = (request: FastifyRequest) => /\bjson\b/.test(request.headers.accept ?? '');

interface ErrorParts {
  pageErrors: Pick<PageErrors, 'idOf'>;
}

export interface Exchange<Parts extends ErrorParts = ErrorParts> {
  context: RouteContext<Parts>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The address of the page that shows the error. */
function errorPage({ context }: Exchange, refusal: IdentityRefusal): string {
  return `/error?id=${context.backend().pageErrors.idOf(presentError(refusal))}`;
}

/** JSON with the refusal's status, or a redirect (303) to its page. */
export async function refuse(exchange: Exchange, refusal: IdentityRefusal) {
  const { request, reply } = exchange;
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  if (wantsJson(request)) return reply.code(refusal.status).send(presentRefusal(refusal));
  return reply.redirect(refusal.page ?? errorPage(exchange, refusal), 303);
}
