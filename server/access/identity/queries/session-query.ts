/** SQL of sessions. A session counts only while it, its identity and its person all do. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { HAS_SECOND_FACTOR, PERSON_COLUMNS_WITHOUT_ROLES, personRow } from './identity-query.ts';
import { toJson } from '../../../platform/db/to-json.ts';

/** How sure it is who signed in: by one factor, or by two. */
export const assuranceLevel = z.enum(['aal1', 'aal2']);
export type Aal = z.infer<typeof assuranceLevel>;

/** One way in which the owner showed who he is, as the identity provider lists it. */
const sessionMethod = z.object({
  method: z.enum(['password', 'totp', 'lookup_secret', 'code_recovery']),
  aal: assuranceLevel,
  completed_at: z.string(),
});
export type SessionMethod = z.infer<typeof sessionMethod>;

export interface NewSession {
  id: string;
  identityId: string;
  tokenMark: string;
  deviceMark: string;
  methods: readonly SessionMethod[];
  ip: string;
  userAgent: string;
  nowAt: Date;
  expiresAt: Date;
}

/** Begins it: issued, authenticated and seen at `nowAt`. */
export function insertSession(tx: Queryable, session: NewSession): Promise<number> {
  return tx.run(
    `insert into identity_sessions
       (id, identity_id, token_mark, device_mark, methods, ip, user_agent,
        issued_at, authenticated_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8::timestamptz, $8::timestamptz, $8::timestamptz,
        $9::timestamptz)`,
    [
      session.id,
      session.identityId,
      session.tokenMark,
      session.deviceMark,
      toJson(session.methods),
      session.ip,
      session.userAgent,
      session.nowAt,
      session.expiresAt,
    ],
  );
}

const sessionRow = personRow.extend({
  session_id: z.string(),
  aal: assuranceLevel,
  methods: z.array(sessionMethod),
  has_second_factor: z.boolean(),
  email_verified_at: z.string().nullable(),
  issued_at: z.string(),
  authenticated_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** A wall may be switched off for a holiday: it needs no use. */
const LIVE = `s.revoked_at is null and s.expires_at > $2::timestamptz
        and (s.last_seen_at > $3::timestamptz or p.type = 'wall')
        and i.state = 'active' and p.deleted_at is null`;
const FROM = `identity_sessions s
       join identities i on i.id = s.identity_id
       join people p on p.id = i.id`;
/** Those of the account, and `admin` while the session works in our own organisation as one of its admins. */
const ROLES = `array(
              select r.v1 from casbin_rule r where r.ptype = 'g' and r.v0 = p.id::text
              union
              select 'admin' from organizations o
                join organization_members m on m.organization_id = o.id and m.person_id = p.id
               where o.id = s.organization_id and o.slug = $4 and m.role = 'admin'
              order by 1)`;
const COLUMNS = `s.id as session_id, s.aal, s.methods, s.issued_at, s.authenticated_at, s.last_seen_at,
            s.expires_at, s.ip, s.user_agent, ${HAS_SECOND_FACTOR} as has_second_factor,
            (select a.verified_at from identity_addresses a where a.identity_id = i.id) as email_verified_at,
            ${PERSON_COLUMNS_WITHOUT_ROLES}, ${ROLES} as roles`;

interface Moment {
  now: Date;
  /** The moment before which an unused session is over. */
  idleSince: Date;
  /** Slug of the organisation whose backend this server is; null for none. */
  ownOrganization: string | null;
}

const markedSessionRow = sessionRow.extend({ token_mark: z.string() });

/** The live sessions of those tokens, whatever factors they have shown, by the token's mark. */
export async function findSessionsOfTokens(
  db: Queryable,
  tokenMarks: readonly string[],
  at: Moment,
): Promise<Map<string, SessionRow>> {
  const rows = await db.rows(
    markedSessionRow,
    `select s.token_mark, ${COLUMNS} from ${FROM} where s.token_mark = any($1::text[]) and ${LIVE}`,
    [tokenMarks, at.now, at.idleSince, at.ownOrganization],
  );
  return new Map(rows.map(({ token_mark: mark, ...session }) => [mark, session]));
}

/** The live sessions of an account, the newest first. */
export function findSessionsOf(db: Queryable, identityId: string, at: Moment): Promise<SessionRow[]> {
  return db.rows(
    sessionRow,
    `select ${COLUMNS} from ${FROM} where s.identity_id = $1 and ${LIVE} order by s.issued_at desc`,
    [identityId, at.now, at.idleSince, at.ownOrganization],
  );
}

const rolesRow = z.strictObject({ session_id: z.string(), roles: z.array(z.string()) });

/** Of these sessions, those that still live and suffice, with the roles of now: one query for all streams. */
export function findLiveSessions(
  db: Queryable,
  sessionIds: readonly string[],
  at: Moment,
): Promise<{ session_id: string; roles: string[] }[]> {
  return db.rows(
    rolesRow,
    `select s.id as session_id, ${ROLES} as roles
       from ${FROM} where s.id = any($1::uuid[]) and ${LIVE} and (s.aal = 'aal2' or not ${HAS_SECOND_FACTOR})`,
    [sessionIds, at.now, at.idleSince, at.ownOrganization],
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

export interface Renewal {
  sessionId: string;
  tokenMark: string;
  deviceMark: string;
  method: SessionMethod;
  nowAt: Date;
}

/** Gives a session a new token and one more method; a second factor lifts it. 0 when it is over. */
export function renewSession(tx: Queryable, renewal: Renewal): Promise<number> {
  const { sessionId, tokenMark, deviceMark, method, nowAt } = renewal;
  return tx.run(
    `update identity_sessions
        set token_mark = $2, device_mark = $3, methods = methods || $4::jsonb,
            aal = case when $5 = 'aal2' then 'aal2' else aal end,
            authenticated_at = $6::timestamptz, last_seen_at = $6::timestamptz
      where id = $1 and revoked_at is null`,
    [sessionId, tokenMark, deviceMark, toJson([method]), method.aal, nowAt],
  );
}

/** Gives a session a new token and nothing else. */
export function replaceToken(tx: Queryable, sessionId: string, tokenMark: string): Promise<number> {
  return tx.run('update identity_sessions set token_mark = $2 where id = $1 and revoked_at is null', [
    sessionId,
    tokenMark,
  ]);
}

/** The session ends with that shared tablet. */
export function setTabletOf(tx: Queryable, sessionId: string, tabletId: string): Promise<number> {
  return tx.run('update identity_sessions set tablet_id = $2 where id = $1', [sessionId, tabletId]);
}

/** Sign-out; 0 when the session had ended already. */
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

/** Ends the sessions of an account but one. */
export function revokeOtherSessions(
  db: Queryable,
  kept: { identityId: string; sessionId: string },
  nowAt: Date,
): Promise<number> {
  return db.run(
    `update identity_sessions set revoked_at = $3::timestamptz
      where identity_id = $1 and id <> $2 and revoked_at is null`,
    [kept.identityId, kept.sessionId, nowAt],
  );
}

/** Ends one session of an account; 0 when it has no such session. */
export function revokeSessionOf(
  db: Queryable,
  ended: { identityId: string; sessionId: string },
  nowAt: Date,
): Promise<number> {
  return db.run(
    `update identity_sessions set revoked_at = $3::timestamptz
      where identity_id = $1 and id = $2::uuid and revoked_at is null`,
    [ended.identityId, ended.sessionId, nowAt],
  );
}

/** Notes when the person signed in last. */
export function recordLogin(db: Queryable, personId: string, nowAt: Date): Promise<number> {
  return db.run('update people set last_login = $2::timestamptz where id = $1', [personId, nowAt]);
}

/** Sessions whose absolute end lies before `before` are of no more use, not even to know a device by. */
export function deleteOldSessions(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from identity_sessions where expires_at < $1::timestamptz', [before]);
}

const knownRow = z.strictObject({ is_known: z.boolean() });

/** True when this account signed in on this device before, as far as `aal` says. */
export async function isKnownDevice(
  db: Queryable,
  device: { identityId: string; deviceMark: string; aal: Aal },
): Promise<boolean> {
  const rows = await db.rows(
    knownRow,
    `select exists(select 1 from identity_sessions
                    where identity_id = $1 and device_mark = $2 and ($3 = 'aal1' or aal = 'aal2')) as is_known`,
    [device.identityId, device.deviceMark, device.aal],
  );
  return rows[0]?.is_known ?? false;
}
