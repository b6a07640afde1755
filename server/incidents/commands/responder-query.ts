/** A responder with what decides who may tell its progress, kept as it is until the transaction ends. */
import type { ProgressStep } from '../../../src/domain/incident/responder-progress.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordEntity } from './entity-query.ts';

export type ProgressEntity = RecordEntity &
  Readonly<Record<ProgressStep, string | null>> & {
    person_id: string | null;
    team_id: string | null;
    commander_id: string | null;
  };

/** Only while it responds; null otherwise. */
export async function lockProgress(tx: Queryable, id: string): Promise<ProgressEntity | null> {
  const [row] = await tx.rows<ProgressEntity>(
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

/** Who is in a team; nobody in none. */
export async function membersOf(tx: Queryable, teamId: string | null): Promise<string[]> {
  if (teamId === null) return [];
  const rows = await tx.rows<{ person_id: string }>('select person_id from team_members where team_id = $1', [
    teamId,
  ]);
  return rows.map((row) => row.person_id);
}
