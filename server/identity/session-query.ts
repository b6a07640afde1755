/** SQL of sessions. A session counts only while it, its identity and its person all do. */
import type { Queryable } from '../db/database.ts';
import { PERSON_COLUMNS } from './identity-query.ts';
import type { PersonRow } from './identity-query.ts';

export interface NewSession {
  id: string;
  identityId: string;
  tokenMark: string;
  deviceMark: string;
  nowAt: Date;
  expiresAt: Date;
}

export function insertSession(tx: Queryable, session: NewSession): Promise<number> {
  return tx.run(
    `insert into identity_sessions
       (id, identity_id, token_mark, device_mark, authenticated_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz, $5::timestamptz, $6::timestamptz)`,
    [session.id, session.identityId, session.tokenMark, session.deviceMark, session.nowAt, session.expiresAt],
  );
}

export interface SessionRow extends PersonRow {
  session_id: string;
  authenticated_at: string;
  last_seen_at: string;
  expires_at: string;
}

const LIVE = `s.revoked_at is null and s.expires_at > $2::timestamptz and s.last_seen_at > $3::timestamptz
        and i.state = 'active' and p.deleted_at is null`;
const FROM = `identity_sessions s
       join identities i on i.id = s.identity_id
       join people p on p.id = i.id`;

/** The live session of a token; `idleSince` is the moment before which an unused session is over. */
export async function findLiveSession(
  db: Queryable,
  tokenMark: string,
  at: { now: Date; idleSince: Date },
): Promise<SessionRow | null> {
  const rows = await db.rows<SessionRow>(
    `select s.id as session_id, s.authenticated_at, s.last_seen_at, s.expires_at, ${PERSON_COLUMNS}
       from ${FROM} where s.token_mark = $1 and ${LIVE}`,
    [tokenMark, at.now, at.idleSince],
  );
  return rows[0] ?? null;
}

/** Of these sessions, those that still live, with the roles of now. One query for all open streams. */
export function findLiveSessions(
  db: Queryable,
  sessionIds: readonly string[],
  at: { now: Date; idleSince: Date },
): Promise<{ session_id: string; roles: string[] }[]> {
  return db.rows(
    `select s.id as session_id,
            array(select r.v1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text) as roles
       from ${FROM} where s.id = any($1::uuid[]) and ${LIVE}`,
    [sessionIds, at.now, at.idleSince],
  );
}

/** Marks sessions as in use, and their people as seen. */
export async function touchSessions(
  db: Queryable,
  sessionIds: readonly string[],
  nowAt: Date,
): Promise<void> {
  await db.run(
    `update identity_sessions set last_seen_at = $2::timestamptz
      where id = any($1::uuid[]) and last_seen_at < $2::timestamptz`,
    [sessionIds, nowAt],
  );
}

export function revokeSession(db: Queryable, tokenMark: string, nowAt: Date): Promise<number> {
  return db.run(
    `update identity_sessions set revoked_at = $2::timestamptz where token_mark = $1 and revoked_at is null`,
    [tokenMark, nowAt],
  );
}

/** Ends all sessions of an account: its password changed. */
export function revokeSessionsOf(db: Queryable, identityId: string, nowAt: Date): Promise<number> {
  return db.run(
    `update identity_sessions set revoked_at = $2::timestamptz where identity_id = $1 and revoked_at is null`,
    [identityId, nowAt],
  );
}

export function recordLogin(db: Queryable, personId: string, nowAt: Date): Promise<number> {
  return db.run('update people set last_login = $2::timestamptz where id = $1', [personId, nowAt]);
}

/** Sessions whose absolute end lies before `before` are of no more use, not even to know a device by. */
export function deleteOldSessions(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_sessions where expires_at < $1::timestamptz', [before]);
}

/** True when this account signed in on this device before. */
export async function isKnownDevice(db: Queryable, identityId: string, deviceMark: string): Promise<boolean> {
  const rows = await db.rows<{ is_known: boolean }>(
    `select exists(select 1 from identity_sessions
                    where identity_id = $1 and device_mark = $2) as is_known`,
    [identityId, deviceMark],
  );
  return rows[0]?.is_known ?? false;
}
