/** SQL of how far each person has read an incident. */
import type { Queryable } from '../../platform/db/database.ts';

export interface ReadMark {
  /** Made on the device; another one is taken where it is in use. */
  id: string;
  incidentId: string;
  personId: string;
  readAt: string;
}

/** Moves the mark forward, never beyond now; answers 0 where it stands there already, or the incident is gone. */
export function moveReadMark(tx: Queryable, mark: ReadMark): Promise<number> {
  return tx.run(
    `insert into incident_reads (id, incident_id, person_id, read_at)
     select case when exists (select 1 from incident_reads where id = $1::uuid) then generate_ulid() else $1::uuid end,
            incidents.id, $3::uuid, least($4::timestamptz, now())
       from incidents where incidents.id = $2::uuid
         for key share of incidents
     on conflict (incident_id, person_id) do update set read_at = excluded.read_at
      where excluded.read_at > incident_reads.read_at`,
    [mark.id, mark.incidentId, mark.personId, mark.readAt],
  );
}
