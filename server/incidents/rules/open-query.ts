/** SQL that writes an incident of a rule with what belongs to it, all by one author. */
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable, SqlValue } from '../../platform/db/database.ts';
import { SUBJECTS } from './subject-kinds.ts';
import type { SubjectKind } from './subject-kinds.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** The person that the server writes as (schema §8.2 "by System"). */
export async function systemPersonId(db: Queryable): Promise<string> {
  const id = await db.text(
    `select id::text from people where name = 'System' and email is null order by created_at, id limit 1`,
  );
  // Made by the first migration; somebody who took the row away gets it back.
  return (
    id ?? (await db.rows(idRow, `insert into people (name) values ('System') returning id`))[0]?.id ?? ''
  );
}

/** The live person of that id, e-mail or name; of several the first. */
export function findPerson(db: Queryable, text: string): Promise<string | null> {
  return db.text(
    `select id::text from people
      where deleted_at is null and (id::text = lower($1) or lower(email) = lower($1) or lower(name) = lower($1))
      order by (id::text = lower($1)) desc, (lower(email) = lower($1)) desc nulls last, created_at limit 1`,
    [text],
  );
}

/** The live team of that id or name; of several the oldest. */
export function findTeam(db: Queryable, text: string): Promise<string | null> {
  return db.text(
    `select id::text from teams
      where deleted_at is null and (id::text = lower($1) or lower(name) = lower($1)) order by created_at limit 1`,
    [text],
  );
}

/** An earlier episode of the subject whose incident is open again, because a person opened it. */
export function openAgain(
  tx: Queryable,
  subject: { ruleId: string; kind: SubjectKind; subjectId: string },
): Promise<string | null> {
  return tx.text(
    `select e.id::text from incident_rule_subjects e join incidents i on i.id = e.incident_id
      where e.rule_id = $1 and e.kind = $2 and e.subject_id = $3::uuid and not e.is_current
        and i.status not in ('closed', 'cancelled')
      order by i.created_at desc limit 1`,
    [subject.ruleId, subject.kind, subject.subjectId],
  );
}

/** Makes an earlier episode the present one again, in place of the one that waits. */
export async function resumeMatch(tx: Queryable, waitingId: string, id: string): Promise<void> {
  await tx.run('delete from incident_rule_subjects where id = $1', [waitingId]);
  await tx.run(
    `update incident_rule_subjects set is_current = true, healthy_since = null, has_recovered = false where id = $1`,
    [id],
  );
}

export interface NewIncident {
  ruleId: string;
  title: string;
  description: string;
  type: string;
  status: string;
  severity: string;
  createdBy: string;
  commanderId: string | null;
  communicatorId: string | null;
  kind: SubjectKind;
  subjectId: string;
  /** What was seen: "<name> is <status>". */
  finding: string;
  /** As it was seen, for when it has changed. */
  seen: object;
}

async function insertId(tx: Queryable, sql: string, params: readonly SqlValue[]): Promise<string> {
  const [row] = await tx.rows(idRow, `${sql} returning id`, params);
  return row?.id ?? '';
}

/** The incident with its root hypothesis, the factor below it, and the evidence that says when it is over. */
export async function insertIncident(tx: Queryable, incident: NewIncident): Promise<string> {
  const { createdBy, title, kind } = incident;
  const incidentId = await insertId(
    tx,
    `insert into incidents (incident_rule_id, title, description, type, status, severity, created_by,
       commander_id, communicator_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      incident.ruleId,
      title,
      incident.description,
      incident.type,
      incident.status,
      incident.severity,
      createdBy,
      incident.commanderId,
      incident.communicatorId,
    ],
  );
  const hypothesis = (parentId: string | null, type: 'root' | 'factor', text: string) =>
    insertId(
      tx,
      `insert into hypotheses (incident_id, parent_id, type, title, status, created_by)
       values ($1, $2, $3, $4, $5, $6)`,
      [incidentId, parentId, type, text, type === 'root' ? 'possible' : 'likely', createdBy],
    );
  const rootId = await hypothesis(null, 'root', title);
  const factorId = await hypothesis(rootId, 'factor', incident.finding);
  const { evidence, column, script } = SUBJECTS[kind];
  await tx.run(
    `insert into evidences (hypothesis_id, type, ${column}, description, definition_of_done, done, script,
       evidence, created_by) values ($1, $2, $3, $4, true, false, $5, $6::jsonb, $7)`,
    [factorId, evidence, incident.subjectId, incident.finding, script, toJson(incident.seen), createdBy],
  );
  return incidentId;
}

export interface NewResponder {
  incidentId: string;
  teamId: string | null;
  personId: string | null;
  properties: object;
  createdBy: string;
}

/** A person or a team's system; it is told by the delivery, not here. */
export async function insertResponder(tx: Queryable, responder: NewResponder): Promise<void> {
  await tx.run(
    `insert into responders (incident_id, type, team_id, person_id, properties, created_by)
     values ($1, $2, $3, $4, $5::jsonb, $6)`,
    [
      responder.incidentId,
      responder.personId === null ? 'system' : 'person',
      responder.teamId,
      responder.personId,
      toJson(responder.properties),
      responder.createdBy,
    ],
  );
}

/** The waiting episode has its incident now. */
export async function giveIncident(tx: Queryable, ruleMatchId: string, incidentId: string): Promise<void> {
  await tx.run('update incident_rule_subjects set incident_id = $2, due_at = null where id = $1', [
    ruleMatchId,
    incidentId,
  ]);
}
