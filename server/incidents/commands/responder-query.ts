/** A responder with what decides who may tell its progress, kept as it is until the transaction ends. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { recordEntity } from './entity-query.ts';

const progressEntity = recordEntity.extend({
  person_id: z.string().nullable(),
  team_id: z.string().nullable(),
  commander_id: z.string().nullable(),
  acknowledged: z.string().nullable(),
  resolved: z.string().nullable(),
  closed: z.string().nullable(),
});
export type ProgressEntity = z.infer<typeof progressEntity>;

/** Only while it responds; null otherwise. */
export async function lockProgress(tx: Queryable, id: string): Promise<ProgressEntity | null> {
  const [row] = await tx.rows(
    progressEntity,
    `select responders.id, responders.incident_id, responders.created_by, responders.updated_at,
            responders.person_id, responders.team_id, responders.acknowledged, responders.resolved,
            responders.closed, incidents.commander_id
       from responders join incidents on incidents.id = responders.incident_id
      where responders.id = $1 and responders.deleted_at is null
        for no key update of responders`,
    [id],
  );
  return row ?? null;
}

const memberRow = z.strictObject({ person_id: z.string() });

/** Who is in a team; nobody in none. */
export async function membersOf(tx: Queryable, teamId: string | null): Promise<string[]> {
  if (teamId === null) return [];
  const rows = await tx.rows(memberRow, 'select person_id from team_members where team_id = $1', [teamId]);
  return rows.map((row) => row.person_id);
}
