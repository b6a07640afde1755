/** Reads what a call to an outside system is made of. */
import { z } from 'zod';
import { jsonObject } from '../../../platform/db/row-schema.ts';
import { openStored } from '../../../platform/crypto/sealed-values.ts';
import type { Opener } from '../../../platform/crypto/sealed-values.ts';
import type { Queryable } from '../../../platform/db/database.ts';

const callRow = z.strictObject({
  id: z.string(),
  is_removed: z.boolean(),
  properties: z.unknown(),
  team_id: z.string().nullable(),
  /** Null for teams. */
  person_email: z.string().nullable(),
  clients: jsonObject.nullable().catch(null),
  /** The team was written last by somebody who may write connections (migration 0020). */
  is_granted: z.boolean(),
  incident_id: z.string(),
  incident_number: z.string(),
  title: z.string(),
  description: z.string(),
  severity: z.string(),
  type: z.string(),
  status: z.string(),
  remote_key: z.string().nullable(),
});
export type CallRow = z.infer<typeof callRow>;

/** Null when the responder is gone. */
export async function findCall(db: Queryable, responderId: string): Promise<CallRow | null> {
  const rows = await db.rows(
    callRow,
    `select r.id, r.deleted_at is not null as is_removed, r.properties, r.team_id, p.email as person_email,
            case when t.deleted_at is null then t.spec -> 'responder_clients' end as clients,
            exists (select 1 from granted_specs where row_id = t.id) as is_granted,
            i.id as incident_id, i.incident_id as incident_number, i.title, i.description, i.severity, i.type, i.status,
            d.remote_key
       from responders r
       join incidents i on i.id = r.incident_id
       left join responder_deliveries d on d.responder_id = r.id
       left join teams t on t.id = r.team_id
       left join people p on p.id = r.person_id and p.deleted_at is null
      where r.id = $1`,
    [responderId],
  );
  return rows[0] ?? null;
}

const storedSecret = z.strictObject({
  value: z.string(),
  /** Of the address that it was entered for (migration 0018). */
  host: z.string(),
});
export type StoredSecret = z.infer<typeof storedSecret>;
const secretRow = storedSecret.extend({ path: z.string(), name: z.string(), is_sealed: z.boolean() });

/** What a team's client keeps secret, by path below responder_clients. Throws where it can't be opened. */
export async function teamSecrets(
  db: Queryable,
  opener: Opener,
  { teamId, client }: { teamId: string; client: string },
): Promise<Map<string, StoredSecret>> {
  const rows = await db.rows(
    secretRow,
    `select path, value, host, is_sealed, name from team_secrets join teams on teams.id = team_id
      where team_id = $1 and starts_with(path, $2 || '/')`,
    [teamId, client],
  );
  return new Map(
    rows.map(({ path, value, host, is_sealed: isSealed, name }) => {
      const place = { table: 'team_secrets', id: teamId, path, owner: `team "${name}"` } as const;
      return [path, { value: isSealed ? openStored(opener, value, place) : value, host }];
    }),
  );
}
