/**
 * Why a call outside failed, by what clients and services give as codes; never by their texts. Knows no service's
 * meaning beyond its code for "you are not let in".
 */
import { AppError } from '../../../src/contract/errors.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import { EgressRefused } from './egress-guard.ts';

/** `closed`: the guard let nobody call; `absent`: nobody answered; `sign-in`: somebody did and did not let us in. */
export type FailureKind = 'closed' | 'absent' | 'sign-in' | 'other';

const ABSENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EPIPE',
  // Of clients: undici, tedious and nodemailer.
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  'ESOCKET',
  'ECONNECTION',
  'EDNS',
]);
/** PostgreSQL's, MySQL's, SQL Server's, nodemailer's. */
const SIGN_IN = new Set(['28P01', '28000', 'ER_ACCESS_DENIED_ERROR', 'ELOGIN', 'EAUTH']);
/** By the name of the error, as the same number means other things elsewhere. */
const SIGN_IN_NAMES = new Set(['InvalidCredentialsError']);
const MONGO_SIGN_IN = 18;
const REFUSING = new Set([401, 403]);
const MAX_DEPTH = 6;

function ownKind(error: object): FailureKind | null {
  if (error instanceof EgressRefused) return 'closed';
  if (error instanceof AppError) {
    if (error.code === 'unauthorized' || REFUSING.has(error.status ?? 0)) return 'sign-in';
    return error.code === 'timeout' ? 'absent' : null;
  }
  const { code, name, codeName, level } = recordOf(error);
  const isMongo =
    codeName === 'AuthenticationFailed' || (code === MONGO_SIGN_IN && name === 'MongoServerError');
  if (isMongo || level === 'client-authentication') return 'sign-in';
  if (typeof name === 'string' && SIGN_IN_NAMES.has(name)) return 'sign-in';
  if (typeof code !== 'string') return null;
  return SIGN_IN.has(code) ? 'sign-in' : ABSENT.has(code) ? 'absent' : null;
}

/** Looks through causes; `other` where nothing says more. */
export function failureKind(error: unknown, depth = 0): FailureKind {
  if (depth > MAX_DEPTH || typeof error !== 'object' || error === null) return 'other';
  const own = ownKind(error);
  if (own !== null) return own;
  if (error instanceof AggregateError && error.errors.length > 0)
    return failureKind(error.errors[0], depth + 1);
  return failureKind(recordOf(error)['cause'], depth + 1);
}
