/** For tests only: many incidents, by the database's own columns. */
import type { Database } from '../../server/platform/db/database.ts';

export interface EstateIncident {
  id: string;
  title: string;
  type: string;
  severity: string;
  status: string;
  agoMinutes: number;
}

/** Writes them, created by that person. */
export async function insertIncidents(
  db: Database,
  personId: string,
  incidents: readonly EstateIncident[],
): Promise<void> {
  await db.run(
    `insert into incidents (id, title, description, type, severity, status, created_by, created_at)
     select id, title, '', type, severity, status, $1, now() - make_interval(mins => "agoMinutes")
     from jsonb_to_recordset($2::jsonb)
       as x(id uuid, title text, type text, severity text, status text, "agoMinutes" int)`,
    [personId, JSON.stringify(incidents)],
  );
}
