/** SQL of accounts: the person, the identity that signs in as it, its credentials and roles. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';

/** What an account says of its owner (contract §2.4). */
export const accountTraits = z.looseObject({
  email: z.string().exactOptional(),
  name: z
    .looseObject({ first: z.string().exactOptional(), last: z.string().exactOptional() })
    .exactOptional(),
});
export type Traits = z.infer<typeof accountTraits>;

export interface NewAccount {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** null for somebody who was invited and has none yet. */
  passwordHash: string | null;
  roles: readonly string[];
}

/** Writes person (same id, as the schema has it), identity, password and roles. Call in a transaction. */
export async function insertAccount(tx: Queryable, account: NewAccount): Promise<void> {
  const name = [account.firstName, account.lastName].filter((part) => part !== '').join(' ');
  await tx.run('insert into people (id, name, email) values ($1, $2, $3)', [account.id, name, account.email]);
  await tx.run('insert into identities (id, traits) values ($1, $2::jsonb)', [
    account.id,
    { email: account.email, name: { first: account.firstName, last: account.lastName } },
  ]);
  await tx.run('insert into identity_addresses (identity_id, address) values ($1, $2)', [
    account.id,
    account.email,
  ]);
  if (account.passwordHash !== null) await updatePassword(tx, account.id, account.passwordHash);
  for (const role of account.roles) {
    await tx.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, $2)`, [account.id, role]);
  }
}

/** True where an account has a second factor that it can still show: an app, or codes left. Over `i`. */
export const HAS_SECOND_FACTOR = `(
       exists(select 1 from identity_credentials f where f.identity_id = i.id and f.type = 'totp')
       or exists(select 1 from identity_recovery_codes f where f.identity_id = i.id and f.used_at is null))`;

const passwordAccount = z.strictObject({
  id: z.string(),
  email: z.string(),
  has_second_factor: z.boolean(),
  secret: z.string().nullable(),
  state: z.string(),
});
export type PasswordAccount = z.infer<typeof passwordAccount>;

/** The account with this e-mail (lower case), whatever its state. */
export async function findPasswordAccount(db: Queryable, email: string): Promise<PasswordAccount | null> {
  const rows = await db.rows(
    passwordAccount,
    `select i.id, i.state, i.traits->>'email' as email, c.secret, ${HAS_SECOND_FACTOR} as has_second_factor
       from identities i
       left join identity_credentials c on c.identity_id = i.id and c.type = 'password'
      where lower(i.traits->>'email') = $1`,
    [email],
  );
  return rows[0] ?? null;
}

const totalRow = z.strictObject({ total: z.number() });

/** Of any state; 0 means that nobody can sign in yet. */
export async function countIdentities(db: Queryable): Promise<number> {
  const rows = await db.rows(totalRow, 'select count(*)::int as total from identities');
  return rows[0]?.total ?? 0;
}

/** Sets the password of an account, whether it had one or not. */
export function updatePassword(db: Queryable, identityId: string, passwordHash: string): Promise<number> {
  return db.run(
    `insert into identity_credentials (identity_id, type, secret) values ($1, 'password', $2)
     on conflict (identity_id, type) do update set secret = excluded.secret, updated_at = now()`,
    [identityId, passwordHash],
  );
}

/** Somebody as requests see him: who, and with which roles at this moment. */
export const personFacts = z.strictObject({
  person_id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  type: z.string().nullable(),
  external_id: z.string().nullable(),
  roles: z.array(z.string()),
});
export type PersonFacts = z.infer<typeof personFacts>;

const WHO = 'p.id as person_id, p.name, p.email, p.avatar, p.type, p.external_id';

/** The columns of PersonFacts, for queries over `people p`. */
export const PERSON_COLUMNS_OF_PEOPLE = `${WHO},
       array(select r.v1 from casbin_rule r
              where r.ptype = 'g' and r.v0 = p.id::text order by r.v1) as roles`;

/** The same with the account that signs in as him. */
export const personRow = personFacts.extend({
  traits: accountTraits,
  identity_created_at: z.string(),
  identity_updated_at: z.string(),
});
export type PersonRow = z.infer<typeof personRow>;

const ACCOUNT = `i.traits,
       i.created_at as identity_created_at, i.updated_at as identity_updated_at`;

/** The columns of PersonRow, for queries over `identities i join people p`. */
const PERSON_COLUMNS = `${PERSON_COLUMNS_OF_PEOPLE}, ${ACCOUNT}`;
/** The same for those that have roles of their own to add. */
export const PERSON_COLUMNS_WITHOUT_ROLES = `${WHO}, ${ACCOUNT}`;

/** The active account's person; null when it was disabled or deleted meanwhile. */
export async function findActivePerson(db: Queryable, identityId: string): Promise<PersonRow | null> {
  const rows = await db.rows(
    personRow,
    `select ${PERSON_COLUMNS}
       from identities i join people p on p.id = i.id
      where i.id = $1 and i.state = 'active' and p.deleted_at is null`,
    [identityId],
  );
  return rows[0] ?? null;
}
