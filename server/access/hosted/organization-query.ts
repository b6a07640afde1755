/** SQL of organisations, their members, and the one that a session works in. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const organizationRow = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  backend_url: z.string().nullable(),
  direct: z.boolean(),
  role: z.enum(['admin', 'member']),
});
export type OrganizationRow = z.infer<typeof organizationRow>;

const COLUMNS = 'o.id, o.slug, o.name, o.backend_url, o.direct, m.role';

/** The organisations that a person belongs to, by name. */
export function findOrganizationsOf(db: Queryable, personId: string): Promise<OrganizationRow[]> {
  return db.rows(
    organizationRow,
    `select ${COLUMNS} from organization_members m join organizations o on o.id = m.organization_id
      where m.person_id = $1 order by o.name, o.id`,
    [personId],
  );
}

/** The organisation that a session works in, while its person belongs to it. */
export async function findActiveOrganization(
  db: Queryable,
  sessionId: string,
): Promise<OrganizationRow | null> {
  const rows = await db.rows(
    organizationRow,
    `select ${COLUMNS}
       from identity_sessions s
       join organizations o on o.id = s.organization_id
       join organization_members m on m.organization_id = o.id and m.person_id = s.identity_id
      where s.id = $1`,
    [sessionId],
  );
  return rows[0] ?? null;
}

/** Makes a session work in an organisation of its person; 0 when it isn't one. */
export function selectOrganization(
  db: Queryable,
  sessionId: string,
  organizationId: string,
): Promise<number> {
  return db.run(
    `update identity_sessions s set organization_id = $2
      where s.id = $1 and exists(
        select 1 from organization_members m where m.organization_id = $2 and m.person_id = s.identity_id)`,
    [sessionId, organizationId],
  );
}

export interface NewOrganization {
  id: string;
  slug: string;
  name: string;
  createdBy: string;
}

/** Makes an organisation with its maker as the first admin. Call in a transaction. */
export async function insertOrganization(tx: Queryable, made: NewOrganization): Promise<void> {
  await tx.run('insert into organizations (id, slug, name, created_by) values ($1, $2, $3, $4)', [
    made.id,
    made.slug,
    made.name,
    made.createdBy,
  ]);
  await tx.run(
    `insert into organization_members (organization_id, person_id, role) values ($1, $2, 'admin')`,
    [made.id, made.createdBy],
  );
}

const takenRow = z.strictObject({ is_taken: z.boolean() });

/** Slugs are unique across all organisations. */
export async function isSlugTaken(db: Queryable, slug: string): Promise<boolean> {
  const rows = await db.rows(
    takenRow,
    'select exists(select 1 from organizations where slug = $1) as is_taken',
    [slug],
  );
  return rows[0]?.is_taken ?? false;
}

export interface ConfiguredOrganization {
  slug: string;
  name: string;
  backendUrl: string | null;
  isDirect: boolean;
}

/** What the operator's file says of an organisation wins over what is stored. */
export async function saveConfigured(db: Queryable, one: ConfiguredOrganization): Promise<void> {
  await db.run(
    `insert into organizations (slug, name, backend_url, direct) values ($1, $2, $3, $4)
     on conflict (slug) do update
       set name = excluded.name, backend_url = excluded.backend_url, direct = excluded.direct, updated_at = now()`,
    [one.slug, one.name, one.backendUrl, one.isDirect],
  );
}

/** A membership by the provider's word. */
export async function saveMembership(
  tx: Queryable,
  member: { slug: string; personId: string; role: 'admin' | 'member' },
): Promise<void> {
  await tx.run(
    `insert into organization_members (organization_id, person_id, role, is_provided)
       select id, $2, $3, true from organizations where slug = $1
     on conflict (organization_id, person_id) do update set role = excluded.role`,
    [member.slug, member.personId, member.role],
  );
}

/** Takes the memberships that the provider named before and no longer does; those made here stay. */
export function removeMemberships(
  tx: Queryable,
  { personId, named }: { personId: string; named: readonly string[] },
): Promise<number> {
  return tx.run(
    `delete from organization_members m using organizations o
      where o.id = m.organization_id and m.person_id = $1 and m.is_provided and not o.slug = any($2::text[])`,
    [personId, named],
  );
}
