/**
 * Reads the rows that a command is about and keeps them as they are until its transaction ends. A reference only
 * keeps its row from being deleted; who edits or removes a row has it alone.
 */
import { z } from 'zod';
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

const LOCKS = {
  reference: 'for key share',
  edit: 'for no key update',
  removal: 'for update',
} as const;
export type LockMode = keyof typeof LOCKS;

/** Beside these, an entity has the fields that a command may change, to be compared with what it says. */
const entity = z.looseObject({ id: z.string(), updated_at: z.string() });
type EntityRow = z.infer<typeof entity>;
const incidentEntity = entity.extend({ status: z.string() });
export type IncidentEntity = z.infer<typeof incidentEntity>;
/** What belongs to an incident. */
export const recordEntity = entity.extend({ incident_id: z.string(), created_by: z.string() });
export type RecordEntity = z.infer<typeof recordEntity>;
const hypothesisEntity = recordEntity.extend({ parent_id: z.string().nullable() });
export type HypothesisEntity = z.infer<typeof hypothesisEntity>;

async function first<Row>(rows: Promise<Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null;
}

/** Null when it is gone. */
export function lockIncident(tx: Queryable, id: string, mode: LockMode): Promise<IncidentEntity | null> {
  return first(
    tx.rows(
      incidentEntity,
      `select id, title, description, severity, type, status, commander_id, communicator_id, updated_at
       from incidents where id = $1 ${LOCKS[mode]}`,
      [id],
    ),
  );
}

/** Null when it is gone. */
export function lockHypothesis(tx: Queryable, id: string, mode: LockMode): Promise<HypothesisEntity | null> {
  return first(
    tx.rows(
      hypothesisEntity,
      `select id, incident_id, parent_id, title, type, status, created_by, updated_at
       from hypotheses where id = $1 ${LOCKS[mode]}`,
      [id],
    ),
  );
}

/** An evidence belongs to the incident of its hypothesis. */
export function lockEvidence(tx: Queryable, id: string, mode: LockMode): Promise<RecordEntity | null> {
  return first(
    tx.rows(
      recordEntity,
      `select e.id, h.incident_id, e.description, e.definition_of_done, e.done, e.script, e.evidence, e.created_by,
            e.updated_at
       from evidences e join hypotheses h on h.id = e.hypothesis_id
      where e.id = $1 ${LOCKS[mode]} of e`,
      [id],
    ),
  );
}

/** Null when it is gone. */
export function lockComment(tx: Queryable, id: string, mode: LockMode): Promise<RecordEntity | null> {
  return first(
    tx.rows(
      recordEntity,
      `select id, incident_id, comment, created_by, updated_at from comments where id = $1 ${LOCKS[mode]}`,
      [id],
    ),
  );
}

/** Only while it is one. */
export function lockResponder(tx: Queryable, id: string, mode: LockMode): Promise<RecordEntity | null> {
  return first(
    tx.rows(
      recordEntity,
      `select id, incident_id, created_by, updated_at
       from responders where id = $1 and deleted_at is null ${LOCKS[mode]}`,
      [id],
    ),
  );
}

export interface Helper {
  incidentId: string;
  personId: string | null;
  teamId: string | null;
}

/** True when the person or team helps with the incident already. */
export async function isResponder(tx: Queryable, helper: Helper): Promise<boolean> {
  const found = await tx.rows(
    idRow,
    `select id from responders
      where incident_id = $1 and deleted_at is null
        and person_id is not distinct from $2::uuid and team_id is not distinct from $3::uuid
      limit 1`,
    [helper.incidentId, helper.personId, helper.teamId],
  );
  return found.length > 0;
}

/** True when `id` is the hypothesis `ancestorId` or hangs somewhere below it. */
export async function isAtOrBelow(tx: Queryable, id: string, ancestorId: string): Promise<boolean> {
  const found = await tx.rows(
    idRow,
    `select above.id from (
       with recursive chain (id, parent_id) as (
         select id, parent_id from hypotheses where id = $1
         union
         select h.id, h.parent_id from hypotheses h join chain on h.id = chain.parent_id
       )
       select chain.id from chain
     ) above where above.id = $2::uuid`,
    [id, ancestorId],
  );
  return found.length > 0;
}

/** Has the incident's definition of done looked at soon. */
export async function wakeIncident(tx: Queryable, id: string): Promise<void> {
  await tx.text(`select wake_incidents('incident', $1::uuid)::text`, [id]);
}

/**
 * Who made the newest change of a row, when it was a command. Both times are those of their transaction's start,
 * so they are equal to the microsecond only when it was the same one.
 */
export function lastChangedBy(tx: Queryable, { id, updated_at: at }: EntityRow): Promise<string | null> {
  return tx.text(
    `select p.name from command_results r
       join command_devices d on d.device_id = r.device_id
       join people p on p.id = d.person_id
      where r.subject = $1 and r.created_at = $2::timestamptz
      limit 1`,
    [id, at],
  );
}
