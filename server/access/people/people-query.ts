/** SQL of people, their roles, and agents as people manage them. */
import { z } from 'zod';
import { idRow, jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** The accounts that can sign in as administrators now. */
export async function activeAdmins(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select distinct p.id
       from casbin_rule r join people p on p.id::text = r.v0 left join identities i on i.id = p.id
      where r.ptype = 'g' and r.v1 = 'admin' and p.deleted_at is null and (i.id is null or i.state = 'active')`,
  );
  return rows.map(({ id }) => id);
}

const personState = z.strictObject({
  /** null for somebody without an account of ours. */
  state: z.enum(['active', 'inactive']).nullable(),
  roles: z.array(z.string()),
});
export type PersonState = z.infer<typeof personState>;

/** State and roles of a living person. */
export async function findPerson(db: Queryable, id: string): Promise<PersonState | null> {
  const rows = await db.rows(
    personState,
    `select i.state, array(select r.v1 from casbin_rule r
                            where r.ptype = 'g' and r.v0 = p.id::text order by r.v1) as roles
       from people p left join identities i on i.id = p.id
      where p.id = $1 and p.deleted_at is null`,
    [id],
  );
  return rows[0] ?? null;
}

/** Adds roles to those somebody has. */
export async function addRoles(tx: Queryable, id: string, roles: readonly string[]): Promise<void> {
  for (const role of roles) {
    await tx.run(
      `insert into casbin_rule (ptype, v0, v1) select 'g', $1::text, $2::text
        where not exists (select 1 from casbin_rule where ptype = 'g' and v0 = $1::text and v1 = $2::text)`,
      [id, role],
    );
  }
}

/** Sets one entry of a person's properties; 0 when there is no such person. */
export function setPersonProperty(db: Queryable, id: string, properties: object): Promise<number> {
  return db.run(
    `update people set properties = coalesce(properties, '{}') || $2::jsonb where id = $1 and deleted_at is null`,
    [id, properties],
  );
}

const propertiesRow = z.strictObject({ properties: jsonObject.nullable() });

/** What is kept about a person besides the columns. */
export async function personProperties(db: Queryable, id: string): Promise<object | null> {
  const rows = await db.rows(propertiesRow, 'select properties from people where id = $1', [id]);
  return rows[0]?.properties ?? null;
}

export interface NewAgent {
  id: string;
  personId: string;
  name: string;
  username: string;
  properties: object;
  createdBy: string;
}

/** Writes the agent, and the person as which it signs in. Call in a transaction. */
export async function insertAgent(tx: Queryable, agent: NewAgent): Promise<void> {
  const { id, personId, name, username, properties, createdBy } = agent;
  await tx.run(`insert into people (id, name, type) values ($1, $2, 'agent')`, [personId, username]);
  await tx.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, 'agent')`, [personId]);
  await tx.run(
    `insert into agents (id, name, username, person_id, properties, created_by)
     values ($1, $2, $3, $4, $5::jsonb, $6)`,
    [id, name, username, personId, properties, createdBy],
  );
}

/** Takes back an agent that was never told its token. */
export async function removeNewAgent(tx: Queryable, agent: { id: string; personId: string }): Promise<void> {
  await tx.run('delete from agents where id = $1', [agent.id]);
  await tx.run(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [agent.personId]);
  await tx.run('delete from people where id = $1', [agent.personId]);
}
