/** For tests only: incidents as they stand in the database. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../server/platform/db/database.ts';

/** An incident with its root hypothesis, in that status. */
export async function insertIncident(
  db: Database,
  { status, by }: { status: string; by: string },
): Promise<{ incidentId: string; rootId: string }> {
  const ids = { incidentId: randomUUID(), rootId: randomUUID() };
  await db.run(
    `insert into incidents (id, title, description, type, severity, status, created_by)
     values ($1, 'Shop is slow', '', 'availability', 'low', $2, $3)`,
    [ids.incidentId, status, by],
  );
  await db.run(
    `insert into hypotheses (id, incident_id, title, type, status, created_by)
     values ($1, $2, 'Shop is slow', 'root', 'possible', $3)`,
    [ids.rootId, ids.incidentId, by],
  );
  return ids;
}

/** Past the table of transitions. */
export async function setStatusOf(db: Database, incidentId: string, status: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('alter table incidents disable trigger check_row');
    await tx.run('update incidents set status = $2 where id = $1', [incidentId, status]);
    await tx.script('set constraints all immediate; alter table incidents enable trigger check_row');
  });
}

export async function statusOf(db: Database, incidentId: string): Promise<string | null> {
  return db.text('select status from incidents where id = $1', [incidentId]);
}

/** Takes an incident away with everything that hangs on it. */
export async function deleteIncident(db: Database, incidentId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('delete from incident_histories where incident_id = $1', [incidentId]);
    await tx.run('delete from comments where incident_id = $1', [incidentId]);
    await tx.run(
      'delete from evidences where hypothesis_id in (select id from hypotheses where incident_id = $1)',
      [incidentId],
    );
    await tx.run('delete from hypotheses where incident_id = $1', [incidentId]);
    await tx.run('delete from responders where incident_id = $1', [incidentId]);
    await tx.run('delete from incidents where id = $1', [incidentId]);
  });
}
