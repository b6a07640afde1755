/**
 * Sessions of the built-in identity. Invariants: a token exists in clear only in the browser's cookie and is
 * replaced whenever its owner shows again who he is; a session ends by sign-out, by 24 h without use, by 30 days,
 * or with its account, and is asked for on every request, so that an end counts at once. A session of an account
 * with a second factor suffices only once that was shown. Lifetimes: docs/decisions/0010-sessions.md.
 */
import type { Database, Queryable } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PersonFacts } from '../queries/identity-query.ts';
import type { Principal } from './principal.ts';
import { hashToken, TOKEN_BYTES } from '../../../platform/crypto/secrets.ts';
import { BatchedLookup } from '../../../platform/http/batched-lookup.ts';
import {
  deleteOldSessions,
  findLiveSessions,
  findSessionsOf,
  findSessionsOfTokens,
  insertSession,
  recordLogin,
  renewSession,
  replaceToken,
  revokeOtherSessions,
  revokeSession,
  revokeSessionOf,
  setTabletOf,
  touchSessions,
} from '../queries/session-query.ts';
import type { Aal, SessionMethod, SessionRow } from '../queries/session-query.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const SESSION_IDLE_MS = 24 * HOUR_MS;
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS;
/** How long after showing who one is one may change password, e-mail and second factors. */
const PRIVILEGED_MS = 15 * 60_000;
/** Use is written down this often at most: a write per request would cost more than the request. */
const TOUCH_MS = 60_000;
/** A wall is ended by people, not by time (docs/decisions/0046). */
const WALL_MS = 3650 * DAY_MS;
const MAX_USER_AGENT_LENGTH = 400;

export interface SignedIn {
  token: string;
  session: SessionRow;
}

/** What a browser says of itself when it signs in. */
export interface Device {
  deviceMark: string;
  previousToken: string | null;
  ip: string;
  userAgent: string;
}

export type Shown = Pick<SessionMethod, 'method' | 'aal'>;

/** A screen that was paired. */
export interface WallLogin {
  identityId: string;
  ip: string;
  userAgent: string;
}

export interface Sessions {
  /** A new session with a new token; the one the browser had before is ended (no fixation). */
  open(login: Device & { identityId: string; shown?: Shown }): Promise<SignedIn>;
  /** The session of a wall, the one before ended: it needs no use, and ends with the wall. Answers its token. */
  openWall(tx: Queryable, wall: WallLogin): Promise<string>;
  /** The same session with a new token, after its owner showed again who he is. */
  renew(renewal: { sessionId: string; deviceMark: string; shown: Shown }): Promise<SignedIn>;
  /** A new token for a session, the others of the account ended: its password changed. */
  takeOver(tx: Queryable, session: SessionRow): Promise<string>;
  /** A new token for a session that is handed over with a shared tablet, and ends with it. */
  bindTablet(tx: Queryable, bound: { sessionId: string; tabletId: string }): Promise<string>;
  /** The live session of a token; null when it is over, unknown or its account disabled. See `suffices`. */
  find(token: string): Promise<SessionRow | null>;
  /** Ends a session. */
  close(token: string): Promise<void>;
  /** All live sessions of an account. */
  listOf(identityId: string): Promise<SessionRow[]>;
  /** Ends one session of an account; false when it has no such session. */
  closeOne(ended: { identityId: string; sessionId: string }): Promise<boolean>;
  /** Ends the sessions of an account but one; answers how many. */
  closeOthers(kept: SessionRow): Promise<number>;
  /** Of the sessions behind open streams, the living ones with their roles now; an open page counts as use. */
  stillLive(sessionIds: readonly string[]): Promise<Map<string, string[]>>;
  /** The same for what happens without them: it is no use of a session. */
  rolesOf(sessionIds: readonly string[]): Promise<Map<string, string[]>>;
  /** True while its owner showed who he is lately enough to change what matters (spec 3 §8). */
  isPrivileged(session: SessionRow): boolean;
}

/** What a token must show to end its own session: derived, so that nothing more is stored. */
export function logoutTokenOf(sessionToken: string): string {
  return hashToken('logout', sessionToken);
}

/** False while the account's second factor is still to be shown. */
export function suffices(session: { aal: Aal; has_second_factor: boolean }): boolean {
  return session.aal === 'aal2' || !session.has_second_factor;
}

/** Who a request is from, as access rules see it; without a session for access tokens. */
export function principalOf(row: PersonFacts & { session_id?: string }): Principal {
  return {
    personId: row.person_id,
    sessionId: row.session_id ?? null,
    name: row.name,
    email: row.email,
    avatar: row.avatar,
    type: row.type,
    externalId: row.external_id,
    roles: row.roles,
  };
}

interface Parts {
  db: Database;
  platform: Platform;
  /** Slug of the organisation whose backend this server is (hosted mode): its admins are admins here. */
  ownOrganization: string | null;
  /** When all devices come back, their requests are told apart by few statements. */
  lookup: BatchedLookup<SessionRow>;
}

const momentOf = ({ platform, ownOrganization }: Pick<Parts, 'platform' | 'ownOrganization'>) => {
  const nowMs = platform.now();
  return { now: new Date(nowMs), idleSince: new Date(nowMs - SESSION_IDLE_MS), ownOrganization };
};

/** The live sessions of those tokens, by the token's mark; they are in use. */
async function lookUp(
  { db, ...rest }: Omit<Parts, 'lookup'>,
  tokenMarks: readonly string[],
): Promise<Map<string, SessionRow>> {
  const at = momentOf(rest);
  const found = await findSessionsOfTokens(db, tokenMarks, at);
  const due = [...found.values()].filter(
    (row) => at.now.getTime() - Date.parse(row.last_seen_at) >= TOUCH_MS,
  );
  const ids = due.map((row) => row.session_id);
  if (ids.length > 0) await touchSessions(db, ids, at.now);
  return found;
}

const find = ({ lookup }: Parts, token: string) => lookup.find(hashToken('session', token));

async function signedIn(parts: Parts, token: string): Promise<SignedIn> {
  const session = await find(parts, token);
  if (session === null) throw new Error('a session that was just opened is not live');
  return { token, session };
}

async function open(
  parts: Parts,
  { identityId, shown, deviceMark, previousToken, ip, userAgent }: Parameters<Sessions['open']>[0],
): Promise<SignedIn> {
  const { db, platform } = parts;
  const token = platform.secret(TOKEN_BYTES);
  const nowMs = platform.now();
  const nowAt = new Date(nowMs);
  const first: Shown = shown ?? { method: 'password', aal: 'aal1' };
  await db.transaction(async (tx) => {
    await deleteOldSessions(tx, new Date(nowMs - SESSION_ABSOLUTE_MS));
    if (previousToken !== null) await revokeSession(tx, hashToken('session', previousToken), nowAt);
    await insertSession(tx, {
      id: platform.newId(),
      identityId,
      tokenMark: hashToken('session', token),
      deviceMark,
      methods: [{ ...first, completed_at: nowAt.toISOString() }],
      ip,
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      nowAt,
      expiresAt: new Date(nowMs + SESSION_ABSOLUTE_MS),
    });
    await recordLogin(tx, identityId, nowAt);
  });
  return signedIn(parts, token);
}

async function openWall(
  platform: Platform,
  tx: Queryable,
  { identityId, ip, userAgent }: WallLogin,
): Promise<string> {
  const token = platform.secret(TOKEN_BYTES);
  const sessionId = platform.newId();
  const nowMs = platform.now();
  const nowAt = new Date(nowMs);
  await insertSession(tx, {
    id: sessionId,
    identityId,
    tokenMark: hashToken('session', token),
    deviceMark: hashToken('wall', identityId),
    methods: [],
    ip,
    userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    nowAt,
    expiresAt: new Date(nowMs + WALL_MS),
  });
  await revokeOtherSessions(tx, { identityId, sessionId }, nowAt);
  return token;
}

async function renew(
  parts: Parts,
  { sessionId, deviceMark, shown }: Parameters<Sessions['renew']>[0],
): Promise<SignedIn> {
  const token = parts.platform.secret(TOKEN_BYTES);
  const nowAt = new Date(parts.platform.now());
  await renewSession(parts.db, {
    sessionId,
    tokenMark: hashToken('session', token),
    deviceMark,
    method: { ...shown, completed_at: nowAt.toISOString() },
    nowAt,
  });
  return signedIn(parts, token);
}

/** `ownOrganization` is the slug whose admins are admins here, null for none. */
export function createSessions(
  db: Database,
  platform: Platform,
  ownOrganization: string | null = null,
): Sessions {
  const given = { db, platform, ownOrganization };
  const parts: Parts = { ...given, lookup: new BatchedLookup((marks) => lookUp(given, marks)) };
  let streamsTouchedMs = 0;
  const nowAt = () => new Date(platform.now());
  return {
    open: (login) => open(parts, login),
    openWall: (tx, wall) => openWall(platform, tx, wall),
    renew: (renewal) => renew(parts, renewal),
    find: (token) => find(parts, token),
    async takeOver(tx, session) {
      const token = platform.secret(TOKEN_BYTES);
      await replaceToken(tx, session.session_id, hashToken('session', token));
      await revokeOtherSessions(
        tx,
        { identityId: session.person_id, sessionId: session.session_id },
        nowAt(),
      );
      return token;
    },
    async bindTablet(tx, { sessionId, tabletId }) {
      const token = platform.secret(TOKEN_BYTES);
      await replaceToken(tx, sessionId, hashToken('session', token));
      await setTabletOf(tx, sessionId, tabletId);
      return token;
    },
    async close(token) {
      await revokeSession(db, hashToken('session', token), nowAt());
    },
    listOf: (identityId) => findSessionsOf(db, identityId, momentOf(parts)),
    closeOne: async (ended) => (await revokeSessionOf(db, ended, nowAt())) > 0,
    closeOthers: (kept) =>
      revokeOtherSessions(db, { identityId: kept.person_id, sessionId: kept.session_id }, nowAt()),
    async stillLive(sessionIds) {
      const at = momentOf(parts);
      const rows = await findLiveSessions(db, sessionIds, at);
      if (at.now.getTime() - streamsTouchedMs >= TOUCH_MS) {
        streamsTouchedMs = at.now.getTime();
        const living = rows.map((row) => row.session_id);
        await touchSessions(db, living, at.now);
      }
      return new Map(rows.map((row) => [row.session_id, row.roles]));
    },
    async rolesOf(sessionIds) {
      const rows = await findLiveSessions(db, sessionIds, momentOf(parts));
      return new Map(rows.map((row) => [row.session_id, row.roles]));
    },
    isPrivileged: (session) => platform.now() - Date.parse(session.authenticated_at) <= PRIVILEGED_MS,
  };
}
