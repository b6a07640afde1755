/**
 * Sessions of the built-in identity. Invariants: a token exists in clear only in the browser's cookie; a
 * session ends by sign-out, by 24 h without use, by 30 days, or with its account, and is asked for on every
 * request, so that an end counts at once. Lifetimes: docs/decisions/0010-sessions.md.
 */
import type { Database } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import type { PersonRow } from './identity-query.ts';
import type { Principal } from './principal.ts';
import { markOf, TOKEN_BYTES } from './secrets.ts';
import {
  deleteOldSessions,
  findLiveSession,
  findLiveSessions,
  insertSession,
  recordLogin,
  revokeSession,
  touchSessions,
} from './session-query.ts';
import type { SessionRow } from './session-query.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const SESSION_IDLE_MS = 24 * HOUR_MS;
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS;
/** Use is written down this often at most: a write per request would cost more than the request. */
const TOUCH_MS = 60_000;

export interface SignedIn {
  token: string;
  session: SessionRow;
}

export interface Sessions {
  /** A new session with a new token; the one the browser had before is ended (no fixation). */
  open(login: { identityId: string; deviceMark: string; previousToken: string | null }): Promise<SignedIn>;
  /** The live session of a token; null when it is over, unknown or its account disabled. */
  find(token: string): Promise<SessionRow | null>;
  /** Ends a session. */
  close(token: string): Promise<void>;
  /** Of the sessions behind open streams, the living ones with their roles now; an open page counts as use. */
  stillLive(sessionIds: readonly string[]): Promise<Map<string, string[]>>;
}

/** What a token must show to end its own session: derived, so that nothing more is stored. */
export function logoutTokenOf(sessionToken: string): string {
  return markOf('logout', sessionToken);
}

export function principalOf(row: PersonRow & { session_id?: string }): Principal {
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

export function createSessions(db: Database, platform: Platform): Sessions {
  const moment = () => {
    const nowMs = platform.now();
    return { now: new Date(nowMs), idleSince: new Date(nowMs - SESSION_IDLE_MS) };
  };
  let streamsTouchedMs = 0;

  async function find(token: string): Promise<SessionRow | null> {
    const at = moment();
    const row = await findLiveSession(db, markOf('session', token), at);
    if (row === null) return null;
    if (at.now.getTime() - Date.parse(row.last_seen_at) >= TOUCH_MS) {
      await touchSessions(db, [row.session_id], at.now);
    }
    return row;
  }

  return {
    find,

    async open({ identityId, deviceMark, previousToken }) {
      const token = platform.secret(TOKEN_BYTES);
      const nowMs = platform.now();
      const nowAt = new Date(nowMs);
      await db.transaction(async (tx) => {
        await deleteOldSessions(tx, new Date(nowMs - SESSION_ABSOLUTE_MS));
        if (previousToken !== null) await revokeSession(tx, markOf('session', previousToken), nowAt);
        await insertSession(tx, {
          id: platform.newId(),
          identityId,
          tokenMark: markOf('session', token),
          deviceMark,
          nowAt,
          expiresAt: new Date(nowMs + SESSION_ABSOLUTE_MS),
        });
        await recordLogin(tx, identityId, nowAt);
      });
      const session = await find(token);
      if (session === null) throw new Error('a session that was just opened is not live');
      return { token, session };
    },

    async close(token) {
      await revokeSession(db, markOf('session', token), new Date(platform.now()));
    },

    async stillLive(sessionIds) {
      const at = moment();
      const rows = await findLiveSessions(db, sessionIds, at);
      if (at.now.getTime() - streamsTouchedMs >= TOUCH_MS) {
        streamsTouchedMs = at.now.getTime();
        const living = rows.map((row) => row.session_id);
        await touchSessions(db, living, at.now);
      }
      return new Map(rows.map((row) => [row.session_id, row.roles]));
    },
  };
}
