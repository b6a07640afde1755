/** SQL of people who come from a provider: made on first sight, under an id that follows from who they are there. */
import { z } from 'zod';
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

export interface ProvidedPerson {
  /** The provider's subject. */
  externalId: string;
  name: string;
  email: string | null;
}

const knownPerson = z.strictObject({
  name: z.string(),
  /** False for one who was deleted or switched off here. */
  is_active: z.boolean(),
});
export type KnownPerson = z.infer<typeof knownPerson>;

/** Null for somebody who was never seen here. */
export async function findProvidedPerson(db: Queryable, id: string): Promise<KnownPerson | null> {
  const rows = await db.rows(
    knownPerson,
    `select p.name, p.deleted_at is null and i.state = 'active' as is_active
       from people p join identities i on i.id = p.id where p.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

function traitsOf({ name, email }: ProvidedPerson) {
  const [first = '', ...last] = name.split(' ');
  return { ...(email === null ? {} : { email }), name: { first, last: last.join(' ') } };
}

/** Call in a transaction. An e-mail that another account has stays with that account. */
export async function insertProvidedPerson(tx: Queryable, id: string, person: ProvidedPerson): Promise<void> {
  const taken = await tx.rows(
    idRow,
    `select id from people where lower(email) = lower($1) and deleted_at is null
     union select id from identities where lower(traits ->> 'email') = lower($1)`,
    [person.email ?? ''],
  );
  const email = taken.length === 0 ? person.email : null;
  await tx.run(
    'insert into people (id, name, email, external_id) values ($1, $2, $3, $4) on conflict (id) do nothing',
    [id, person.name, email, person.externalId],
  );
  await tx.run('insert into identities (id, traits) values ($1, $2::jsonb) on conflict (id) do nothing', [
    id,
    traitsOf({ ...person, email }),
  ]);
}

/** Takes the name over that the provider says now. */
export function renameProvidedPerson(tx: Queryable, id: string, name: string): Promise<number> {
  return tx.run('update people set name = $2 where id = $1', [id, name]);
}
