/** SQL of managing accounts: an identity's change reaches its person in the same transaction (schema §1.7). */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import { accountTraits } from './identity-query.ts';
import type { Traits } from './identity-query.ts';

const identityFacts = z.strictObject({
  id: z.string(),
  state: z.enum(['active', 'inactive']),
  traits: accountTraits,
  roles: z.array(z.string()),
});
export type IdentityFacts = z.infer<typeof identityFacts>;

/** An account that wasn't deleted; locked until the transaction ends. */
export async function findIdentityForUpdate(tx: Queryable, id: string): Promise<IdentityFacts | null> {
  const rows = await tx.rows(
    identityFacts,
    `select i.id, i.state, i.traits,
            array(select r.v1 from casbin_rule r
                   where r.ptype = 'g' and r.v0 = i.id::text order by r.v1) as roles
       from identities i where i.id = $1::uuid for update`,
    [id],
  );
  return rows[0] ?? null;
}

/** Writes traits, and name and e-mail of the person. */
export async function updateTraits(tx: Queryable, id: string, traits: Traits): Promise<void> {
  const { email = '', name = {} } = traits;
  await tx.run('update identities set traits = $2::jsonb, updated_at = now() where id = $1', [id, traits]);
  const fullName = [name.first ?? '', name.last ?? ''].filter((part) => part !== '').join(' ');
  await tx.run('update people set name = $2, email = $3 where id = $1', [id, fullName, email]);
}

/** The address that is to be proven; a new one starts unproven. */
export async function setAddress(tx: Queryable, id: string, address: string): Promise<void> {
  await tx.run(
    `insert into identity_addresses (identity_id, address) values ($1, $2)
     on conflict (identity_id) do update
       set address = excluded.address,
           verified_at = case when identity_addresses.address = excluded.address
                              then identity_addresses.verified_at end`,
    [id, address],
  );
}

/** Says that whoever has the account reads this address; 0 when it is not his any more. */
export function markVerified(tx: Queryable, id: string, at: { address: string; now: Date }): Promise<number> {
  return tx.run(
    'update identity_addresses set verified_at = $3::timestamptz where identity_id = $1 and address = $2',
    [id, at.address, at.now],
  );
}

/** 0 when it is in that state already. */
export function updateState(tx: Queryable, id: string, state: 'active' | 'inactive'): Promise<number> {
  return tx.run(
    `update identities set state = $2, state_changed_at = now(), updated_at = now()
      where id = $1 and state <> $2`,
    [id, state],
  );
}

/** In place of all roles that the person had. */
export async function replaceRoles(tx: Queryable, id: string, roles: readonly string[]): Promise<void> {
  await tx.run(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [id]);
  for (const role of roles) {
    await tx.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, $2)`, [id, role]);
  }
}

/** Takes an account away: credentials, sessions and roles with it; the person stays as a name in history. */
export async function removeIdentity(tx: Queryable, id: string): Promise<number> {
  const removed = await tx.run('delete from identities where id = $1::uuid', [id]);
  if (removed === 0) return 0;
  await tx.run(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [id]);
  await tx.run('delete from access_tokens where person_id = $1', [id]);
  await tx.run('update people set deleted_at = now() where id = $1 and deleted_at is null', [id]);
  return removed;
}
