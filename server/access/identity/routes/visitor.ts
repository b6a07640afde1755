/** What a browser brings to the identity's routes, read once and checked for form. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Fields, NewCookies, Visitor } from '../flows/flow-kind.ts';
import type { RouteContext } from '../../request/route-context.ts';
import { isWall } from '../sessions/principal.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { csrfCookieOf, deviceTokenOf, sessionTokenOf } from './cookies.ts';
import { originOf } from './return-to.ts';

const MAX_FIELDS = 40;
const MAX_VALUE_LENGTH = 2048;
/** Control signs and halves of signs: no keyboard types them, and the database takes neither. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

/** Cookies, address and session of a request; the session is null when it isn't live, or a wall's, which has no account. */
export async function visitorOf(
  context: RouteContext<{ sessions: Pick<Sessions, 'find'> }>,
  request: FastifyRequest,
): Promise<Visitor> {
  const sessionToken = sessionTokenOf(request);
  const session = sessionToken === null ? null : await context.backend().sessions.find(sessionToken);
  return {
    csrfCookie: csrfCookieOf(request),
    sessionToken,
    session: session === null || isWall(session) ? null : session,
    deviceToken: deviceTokenOf(request),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    origin: originOf(request),
  };
}

/** The visitor after a step that may have changed his account or session. */
export async function afterStep(
  context: RouteContext<{ sessions: Pick<Sessions, 'find'> }>,
  visitor: Visitor,
  cookies: NewCookies | undefined,
): Promise<Visitor> {
  const sessionToken = cookies?.sessionToken ?? visitor.sessionToken;
  const session = sessionToken === null ? null : await context.backend().sessions.find(sessionToken);
  return { ...visitor, sessionToken, session };
}

function add(fields: Map<string, string>, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) add(fields, `${name}.${key}`, inner);
    return;
  }
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') {
    throw new AppError('invalid', `${name}: allowed are texts and true or false`);
  }
  const text = String(value);
  if (text.length > MAX_VALUE_LENGTH) {
    throw new AppError('invalid', `${name}: allowed are ${MAX_VALUE_LENGTH} characters`);
  }
  if (NO_TEXT.test(text)) throw new AppError('invalid', `${name}: not a text`);
  fields.set(name, text);
  if (fields.size > MAX_FIELDS) throw new AppError('invalid', `allowed are ${MAX_FIELDS} fields`);
}

/** A form's fields: `traits` may come nested or with dots in the names, as both kinds of page send them. */
export function fieldsOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid', 'Send the form as a JSON object');
  }
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) add(fields, name, value);
  return fields;
}
