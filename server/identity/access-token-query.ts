/** SQL of access tokens (schema §1.5): what is stored is a hash; a token is found by it. */
import type { Queryable } from '../db/database.ts';
import { PERSON_COLUMNS_OF_PEOPLE } from './identity-query.ts';
import type { PersonFacts } from './identity-query.ts';

export interface NewAccessToken {
  personId: string;
  name: string;
  value: string;
  nowAt: Date;
  expiresAt: Date | null;
}

/** A re-issue for the same person and name takes the place of the former (schema §3.4). */
export function upsertAccessToken(db: Queryable, token: NewAccessToken): Promise<number> {
  return db.run(
    `insert into access_tokens (person_id, name, value, created_at, expires_at)
     values ($1, $2, $3, $4::timestamptz, $5::timestamptz)
     on conflict (person_id, name) do update
       set value = excluded.value, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [token.personId, token.name, token.value, token.nowAt, token.expiresAt],
  );
}

/** Whose valid token this is; null when it is unknown, expired, or its person is gone or disabled. */
export async function findTokenPerson(
  db: Queryable,
  value: string,
  nowAt: Date,
): Promise<PersonFacts | null> {
  const rows = await db.rows<PersonFacts>(
    `select ${PERSON_COLUMNS_OF_PEOPLE}
       from access_tokens t
       join people p on p.id = t.person_id
       left join identities i on i.id = p.id
      where t.value = $1 and (t.expires_at is null or t.expires_at > $2::timestamptz)
        and p.deleted_at is null and (i.id is null or i.state = 'active')`,
    [value, nowAt],
  );
  return rows[0] ?? null;
}
