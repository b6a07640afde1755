/** SQL of access tokens (schema §1.5): what is stored are a hash and a mark; a token is found by one of them. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { PERSON_COLUMNS_OF_PEOPLE, personFacts } from './identity-query.ts';

const tokenScope = z.literal('cluster-proxy');
/** The only part of the API that a token opens. */
export type TokenScope = z.infer<typeof tokenScope>;

export interface NewAccessToken {
  personId: string;
  name: string;
  value: string;
  mark: string;
  nowAt: Date;
  expiresAt: Date | null;
  scope: TokenScope | null;
}

/** A re-issue for the same person and name takes the place of the former (schema §3.4). */
export function upsertAccessToken(db: Queryable, token: NewAccessToken): Promise<number> {
  const { personId, name, value, mark, nowAt, expiresAt, scope } = token;
  return db.run(
    `insert into access_tokens (person_id, name, value, token_mark, created_at, expires_at, scope)
     values ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7)
     on conflict (person_id, name) do update
       set value = excluded.value, token_mark = excluded.token_mark, created_at = excluded.created_at,
           expires_at = excluded.expires_at, scope = excluded.scope`,
    [personId, name, value, mark, nowAt, expiresAt, scope],
  );
}

const tokenPerson = personFacts.extend({ token_scope: tokenScope.nullable() });
export type TokenPerson = z.infer<typeof tokenPerson>;

/** Whose valid token this is; null when it is unknown, expired, or its person is gone or disabled. */
export async function findTokenPerson(
  db: Queryable,
  by: { mark: string } | { value: string },
  nowAt: Date,
): Promise<TokenPerson | null> {
  const [column, sought] = 'mark' in by ? ['token_mark', by.mark] : ['value', by.value];
  const rows = await db.rows(
    tokenPerson,
    `select ${PERSON_COLUMNS_OF_PEOPLE}, t.scope as token_scope
       from access_tokens t
       join people p on p.id = t.person_id
       left join identities i on i.id = p.id
      where t.${column} = $1 and (t.expires_at is null or t.expires_at > $2::timestamptz)
        and p.deleted_at is null and (i.id is null or i.state = 'active')`,
    [sought, nowAt],
  );
  return rows[0] ?? null;
}

const unmarkedRow = z.strictObject({ is_there: z.boolean() });

/** Whether there are tokens that can be found by their hash only. */
export async function hasUnmarkedTokens(db: Queryable): Promise<boolean> {
  const rows = await db.rows(
    unmarkedRow,
    'select exists(select 1 from access_tokens where token_mark is null) as is_there',
  );
  return rows[0]?.is_there ?? false;
}

/** Adds the mark to a token that was stored before there were marks. */
export function markToken(db: Queryable, value: string, mark: string): Promise<number> {
  return db.run('update access_tokens set token_mark = $2 where value = $1', [value, mark]);
}

const tokenRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope: tokenScope.nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
});
export type TokenRow = z.infer<typeof tokenRow>;

/** Those of a person that still count, the newest first. */
export function findTokens(db: Queryable, personId: string, nowAt: Date): Promise<TokenRow[]> {
  return db.rows(
    tokenRow,
    `select id, name, scope, created_at, expires_at from access_tokens
      where person_id = $1 and (expires_at is null or expires_at > $2::timestamptz)
      order by created_at desc, id`,
    [personId, nowAt],
  );
}

/** 0 when the person has no such token. */
export function deleteToken(db: Queryable, personId: string, id: string): Promise<number> {
  return db.run('delete from access_tokens where person_id = $1 and id = $2::uuid', [personId, id]);
}

/** Ends all tokens of somebody: the password changed. */
export function deleteTokensOf(db: Queryable, personId: string): Promise<number> {
  return db.run('delete from access_tokens where person_id = $1', [personId]);
}
