/** SQL of what somebody knows of. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const activeRow = z.strictObject({
  resource_id: z.string(),
  until: z.string().nullable(),
  person: z.string(),
  /** Set where it is the incident of the thing that was acknowledged. */
  incident: z.string().nullable(),
});
export type ActiveAcknowledgement = z.infer<typeof activeRow>;

const IS_ACTIVE = (now: string) =>
  `ack.ended_at is null and (ack.until is null or ack.until > ${now}::timestamptz)`;

/**
 * What of these things somebody knows of: of itself, or because it is evidence in an incident that was acknowledged.
 * By thing; the first that is found.
 */
export async function acknowledgedAmong(
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, ActiveAcknowledgement>> {
  const rows = await db.rows(
    activeRow,
    `with active as (
       select ack.kind, ack.resource_id, ack.until, people.name as person
         from acknowledgements as ack join people on people.id = ack.person_id where ${IS_ACTIVE('$2')}
     )
     select resource_id, until, person, null as incident from active where resource_id = any($1::uuid[])
     union all
     select thing.id, active.until, active.person, incidents.incident_id
       from active join incidents on incidents.id = active.resource_id and active.kind = 'incident'
       join hypotheses on hypotheses.incident_id = incidents.id
       join evidences on evidences.hypothesis_id = hypotheses.id
       cross join lateral (values (evidences.check_id), (evidences.config_id), (evidences.component_id)) as thing (id)
      where thing.id = any($1::uuid[])`,
    [ids, now],
  );
  return new Map(rows.toReversed().map((row) => [row.resource_id, row]));
}

/** Whether anybody knows of anything. */
export async function isAnythingKnown(db: Queryable, now: Date): Promise<boolean> {
  const sql = `select exists (select from acknowledgements as ack where ${IS_ACTIVE('$1')})::text`;
  return (await db.text(sql, [now])) === 'true';
}
