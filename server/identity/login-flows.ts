/**
 * Sign-in with e-mail and password in the contract's browser flow (contract §2.2). Invariants: a flow is bound
 * to the browser that asked for it (CSRF cookie), lives 30 minutes and signs in at most once; wrong password,
 * unknown and disabled account look and take the same; attempts are limited per address and account, and a
 * device that signed in before has its own count, so that nobody can lock somebody else out.
 */
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import { deleteFlow, deleteOldFlows, findFlow, insertFlow } from './flow-query.ts';
import type { FlowRow } from './flow-query.ts';
import { findPasswordAccount } from './identity-query.ts';
import { isPassword } from './passwords.ts';
import { isSameMark, markOf, TOKEN_BYTES } from './secrets.ts';
import { isKnownDevice } from './session-query.ts';
import type { Sessions, SignedIn } from './sessions.ts';

const FLOW_MS = 30 * 60_000;
/** Expired flows stay this long, so that a late submit learns that it is late. */
const FLOW_GRACE_MS = 24 * 3_600_000;

export interface FlowRequest {
  csrfCookie: string;
  returnTo: string | null;
  isRefresh: boolean;
  requestUrl: string;
}

export interface LoginAttempt {
  flowId: string;
  csrfCookie: string | null;
  csrfToken: string;
  identifier: string;
  password: string;
  ip: string;
  deviceToken: string | null;
  sessionToken: string | null;
}

export type LoginResult =
  | ({ kind: 'signed-in'; deviceToken: string } & SignedIn)
  | { kind: 'refused'; flow: FlowRow }
  | { kind: 'expired'; flow: FlowRow }
  | { kind: 'unknown-flow' }
  | { kind: 'csrf' }
  | { kind: 'limited'; retryAfterSeconds: number };

export type FoundFlow =
  | { kind: 'found' | 'expired'; flow: FlowRow }
  | { kind: 'unknown-flow' }
  | { kind: 'csrf' };

export interface LoginFlows {
  create(request: FlowRequest): Promise<FlowRow>;
  /** The flow for the browser that holds its cookie. */
  read(id: string, csrfCookie: string | null): Promise<FoundFlow>;
  submit(attempt: LoginAttempt): Promise<LoginResult>;
}

/** The hidden field of a flow: only who holds the cookie can tell it. */
export function csrfTokenOf(flowId: string, csrfCookie: string): string {
  return markOf('csrf-token', flowId, csrfCookie);
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export interface LoginFlowDeps {
  db: Database;
  platform: Platform;
  sessions: Sessions;
  limiter: AttemptLimiter;
  logger: Logger;
}

async function createFlow({ db, platform }: LoginFlowDeps, request: FlowRequest): Promise<FlowRow> {
  const nowMs = platform.now();
  await deleteOldFlows(db, new Date(nowMs - FLOW_GRACE_MS));
  const id = platform.newId();
  await insertFlow(db, {
    id,
    csrfMark: markOf('csrf-cookie', request.csrfCookie),
    returnTo: request.returnTo,
    isRefresh: request.isRefresh,
    requestUrl: request.requestUrl,
    issuedAt: new Date(nowMs),
    expiresAt: new Date(nowMs + FLOW_MS),
  });
  const flow = await findFlow(db, id);
  if (flow === null) throw new Error('a flow that was just stored is not there');
  return flow;
}

async function readFlow(
  { db, platform }: LoginFlowDeps,
  id: string,
  csrfCookie: string | null,
): Promise<FoundFlow> {
  const flow = UUID.test(id) ? await findFlow(db, id) : null;
  if (flow === null) return { kind: 'unknown-flow' };
  const isBound = csrfCookie !== null && isSameMark(markOf('csrf-cookie', csrfCookie), flow.csrf_mark);
  if (!isBound) return { kind: 'csrf' };
  return { kind: Date.parse(flow.expires_at) <= platform.now() ? 'expired' : 'found', flow };
}

/** Whose attempts these are: a device that the account knows has its own, else address and name. */
async function attemptKey(db: Database, identityId: string | null, attempt: LoginAttempt): Promise<string> {
  const { deviceToken, ip, identifier } = attempt;
  if (identityId !== null && deviceToken !== null) {
    const mark = markOf('device', deviceToken);
    if (await isKnownDevice(db, { identityId, deviceMark: mark, aal: 'aal1' }))
      return `device ${mark} ${identityId}`;
  }
  return `address ${ip} ${identifier.trim().toLowerCase()}`;
}

/** Looks at name and password; counted before the password is looked at, so that parallel guesses count, too. */
async function checkPassword(
  { db, limiter, logger }: LoginFlowDeps,
  attempt: LoginAttempt,
): Promise<
  { kind: 'right'; identityId: string } | { kind: 'wrong' } | { kind: 'limited'; retryAfterSeconds: number }
> {
  const account = await findPasswordAccount(db, attempt.identifier.trim().toLowerCase());
  const key = await attemptKey(db, account?.id ?? null, attempt);
  const retryAfterSeconds = limiter.take(key);
  if (retryAfterSeconds > 0) {
    logger.warn({ ip: attempt.ip }, 'sign-in refused: too many attempts');
    return { kind: 'limited', retryAfterSeconds };
  }
  const isRight = await isPassword(account?.secret ?? null, attempt.password);
  if (account === null || !isRight || account.state !== 'active') {
    logger.info({ ip: attempt.ip }, 'sign-in refused: wrong credentials');
    return { kind: 'wrong' };
  }
  limiter.clear(key);
  return { kind: 'right', identityId: account.id };
}

async function submitFlow(deps: LoginFlowDeps, attempt: LoginAttempt): Promise<LoginResult> {
  const found = await readFlow(deps, attempt.flowId, attempt.csrfCookie);
  if (found.kind === 'unknown-flow' || found.kind === 'csrf') return found;
  const { flow } = found;
  if (!isSameMark(attempt.csrfToken, csrfTokenOf(flow.id, attempt.csrfCookie ?? ''))) return { kind: 'csrf' };
  if (found.kind === 'expired') return { kind: 'expired', flow };
  const checked = await checkPassword(deps, attempt);
  if (checked.kind === 'limited') return checked;
  if (checked.kind === 'wrong') return { kind: 'refused', flow };
  if ((await deleteFlow(deps.db, flow.id)) !== 1) return { kind: 'unknown-flow' };
  const deviceToken = attempt.deviceToken ?? deps.platform.secret(TOKEN_BYTES);
  const opened = await deps.sessions.open({
    identityId: checked.identityId,
    deviceMark: markOf('device', deviceToken),
    previousToken: attempt.sessionToken,
    ip: attempt.ip,
    userAgent: '',
  });
  deps.logger.info({ personId: checked.identityId }, 'signed in');
  return { kind: 'signed-in', deviceToken, ...opened };
}

export function createLoginFlows(deps: LoginFlowDeps): LoginFlows {
  return {
    create: (request) => createFlow(deps, request),
    read: (id, csrfCookie) => readFlow(deps, id, csrfCookie),
    submit: (attempt) => submitFlow(deps, attempt),
  };
}
