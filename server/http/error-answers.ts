/** Every failure as the contract's JSON (contract §1.3): `{error, message?}` with the right status. */
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { DatabaseError } from '../platform/db/database-error.ts';
import { AccessRefusal } from '../access/policies/refuse-unless.ts';
import { isHttpsSite } from '../platform/http/public-site.ts';
import { unstorable } from '../platform/http/storable-body.ts';
import { unansweredStatus } from '../platform/http/unanswered-status.ts';
import { securityHeaders } from './security-headers.ts';

const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  network: 502,
  timeout: 504,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  invalid: 400,
  conflict: 409,
  rate_limited: 429,
  server: 500,
  bad_payload: 502,
  storage: 500,
  quota: 507,
  cancelled: 499,
  unknown: 500,
};

const RETRY_SECONDS = 1;
const TOO_MANY_RETRY_SECONDS = 30;

/** Characters that text cannot hold (NUL, halves of signs): whoever sent them is to be told, wherever they stood. */
const NO_TEXT_STATES: ReadonlySet<string> = new Set(['22021', '22P05']);

/** What is said of an error of the database, where that is not a fault of ours. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (NO_TEXT_STATES.has(error.sqlState)) return unstorable(error);
  const status = unansweredStatus(error.sqlState);
  if (status === null) return error;
  return new AppError('server', 'The database could not answer', { status, cause: error });
}

/** The status that a thrown thing stands for; the framework's own errors bring theirs. */
function statusOf(error: unknown): number {
  if (error instanceof AppError) return error.status ?? STATUS_OF[error.code];
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode >= 400 ? error.statusCode : 500;
  }
  return 500;
}

/** Away, not there yet, too slow: said to the caller. What went wrong inside is for the log. */
const TOLD_STATUSES = new Set([502, 503, 504]);

function textOf(error: unknown, status: number): string {
  const isForCaller = status < 500 || (error instanceof AppError && TOLD_STATUSES.has(status));
  return isForCaller && error instanceof Error ? error.message : 'An error occurred';
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = asRefusal(thrown);
  const status = statusOf(error);
  const isExpected = status === 503 && !(thrown instanceof DatabaseError);
  if (status >= 500 && !isExpected) request.log.error({ err: error, req: request }, 'request failed');
  if (status === 503) reply.header('retry-after', RETRY_SECONDS);
  if (status === 429 && !reply.hasHeader('retry-after')) reply.header('retry-after', TOO_MANY_RETRY_SECONDS);
  if (error instanceof AccessRefusal) {
    const { subject, object, action } = error.access;
    reply.headers({ 'x-rbac-subject': subject, 'x-rbac-object': object, 'x-rbac-action': action });
  }
  const field = error instanceof AppError && error.field !== null ? { field: error.field } : {};
  const body = { error: textOf(error, status), message: STATUS_CODES[status] ?? 'Error', ...field };
  void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** An address that can't be decoded meets no hook, so its answer brings the headers itself. */
export function badUrlAnswer(publicUrl: string | null) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({
      ...securityHeaders('', isHttpsSite(request, publicUrl)),
      'cache-control': 'no-store',
    });
    answerError(error, request, reply);
  };
}

/** For everything that routes and hooks of the app throw. */
export function addErrorAnswers(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
}
