/** SQL of definitions of done (schema §8.2): scripts with their subjects, what came of them, and the incident's state. */
import { z } from 'zod';
import { idRow, jsonObject } from '../../platform/db/row-schema.ts';
import type { DoneState } from '../../../src/domain/incident/rule-match.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { SUBJECTS } from './subject-kinds.ts';

const scriptRow = z.strictObject({
  id: z.string(),
  incident_id: z.string(),
  script: z.string(),
  done: z.boolean().nullable(),
  script_result: z.string().nullable(),
});
export type ScriptRow = z.infer<typeof scriptRow>;

/** Evidences with a script on incidents that are not closed; of these incidents or all, after an id. */
export function scriptedEvidences(
  db: Queryable,
  incidentIds: readonly string[] | null,
  page: { afterId: string; limit: number },
): Promise<ScriptRow[]> {
  return db.rows(
    scriptRow,
    `select e.id, h.incident_id, e.script, e.done, e.script_result
     from evidences e join hypotheses h on h.id = e.hypothesis_id join incidents i on i.id = h.incident_id
     where i.closed is null and btrim(coalesce(e.script, '')) <> ''
       and ($1::uuid[] is null or i.id = any($1::uuid[])) and e.id > $2::uuid
     order by e.id limit $3::int`,
    [incidentIds, page.afterId, page.limit],
  );
}

/** Incidents that are not closed and have an evidence on one of these. */
export async function incidentsOn(
  db: Queryable,
  column: 'check_id' | 'component_id' | 'config_id' | 'config_analysis_id',
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows(
    idRow,
    `select distinct i.id from evidences e
       join hypotheses h on h.id = e.hypothesis_id join incidents i on i.id = h.incident_id
     where e.${column} = any($1::uuid[]) and i.closed is null order by i.id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Ids of what a script is about. */
const scriptSubject = z.strictObject({
  incidentId: z.string(),
  evidenceId: z.string().nullable(),
  componentId: z.string().nullable(),
  configId: z.string().nullable(),
  checkId: z.string().nullable(),
  analysisId: z.string().nullable(),
  changeId: z.string().nullable(),
});
export type ScriptSubject = z.infer<typeof scriptSubject>;

/** False when it is gone. */
export async function isIncident(db: Queryable, id: string): Promise<boolean> {
  return (await db.rows(idRow, 'select id from incidents where id = $1', [id])).length > 0;
}

/** Null when the evidence is gone. */
export async function subjectOfEvidence(db: Queryable, evidenceId: string): Promise<ScriptSubject | null> {
  const [row] = await db.rows(
    scriptSubject,
    `select h.incident_id as "incidentId", e.id as "evidenceId", e.component_id as "componentId",
       e.config_id as "configId", e.check_id as "checkId", e.config_analysis_id as "analysisId",
       e.config_change_id as "changeId"
     from evidences e join hypotheses h on h.id = e.hypothesis_id where e.id = $1`,
    [evidenceId],
  );
  return row ?? null;
}

/** What scripts see, as the tables have it; each is null where the evidence has none. */
const scriptSees = z.strictObject({
  incident: jsonObject.nullable(),
  evidence: jsonObject.nullable(),
  component: jsonObject.nullable(),
  config: jsonObject.nullable(),
  check: jsonObject.nullable(),
  analysis: jsonObject.nullable(),
  change: jsonObject.nullable(),
});
export type ScriptRows = z.infer<typeof scriptSees>;

const withHealth = (kind: keyof typeof SUBJECTS) =>
  `(select to_jsonb(r) || jsonb_build_object('health', ${SUBJECTS[kind].health}) from ${SUBJECTS[kind].table} r`;

/** The health of each is one lower-case word, wherever its table keeps it. */
export async function scriptRows(db: Queryable, subject: ScriptSubject): Promise<ScriptRows> {
  const [row] = await db.rows(
    scriptSees,
    `select (select to_jsonb(i) from incidents i where i.id = $1::uuid) as incident,
       (select to_jsonb(e) from evidences e where e.id = $2::uuid) as evidence,
       ${withHealth('component')} where r.id = $3::uuid) as component,
       ${withHealth('config')} where r.id = $4::uuid) as config,
       ${withHealth('check')} where r.id = $5::uuid) as "check",
       (select to_jsonb(a) from config_analysis a where a.id = $6::uuid) as analysis,
       (select to_jsonb(c) from config_changes c where c.id = $7::uuid) as change`,
    [
      subject.incidentId,
      subject.evidenceId,
      subject.componentId,
      subject.configId,
      subject.checkId,
      subject.analysisId,
      subject.changeId,
    ],
  );
  return (
    row ?? {
      incident: null,
      evidence: null,
      component: null,
      config: null,
      check: null,
      analysis: null,
      change: null,
    }
  );
}

/**
 * Writes what a script found, unless somebody changed the script meanwhile: then it is looked at anew. Null for
 * `done` leaves it as it is.
 */
export function storeVerdict(
  db: Queryable,
  { id, script }: Pick<ScriptRow, 'id' | 'script'>,
  verdict: { done: boolean | null; result: string },
): Promise<number> {
  return db.run(
    `update evidences set done = coalesce($3::boolean, done), script_result = $4
     where id = $1 and script = $2
       and (done is distinct from coalesce($3::boolean, done) or script_result is distinct from $4)`,
    [id, script, verdict.done, verdict.result],
  );
}

const doneEvidence = z.strictObject({ id: z.string(), done: z.boolean().nullable() });

const settlingRow = z.strictObject({
  id: z.string(),
  status: z.string(),
  incident_rule_id: z.string().nullable(),
  is_done: z.boolean().nullable(),
  done_ids: z.array(z.string()).nullable(),
  episode_id: z.string().nullable(),
  healthy_since: z.string().nullable(),
  due_at: z.string().nullable(),
  rule_spec: z.unknown(),
  evidences: z.array(doneEvidence),
});
export type SettlingRow = z.infer<typeof settlingRow>;

/** What moves these incidents on; `evidences` are those that say when one is over, in the order of their ids. */
export function settlingRows(db: Queryable, incidentIds: readonly string[]): Promise<SettlingRow[]> {
  return db.rows(
    settlingRow,
    `select i.id, i.status, i.incident_rule_id, state.is_done, state.done_ids, e.id as episode_id, e.healthy_since,
       e.due_at, rule.spec as rule_spec,
       coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'done', v.done) order by v.id)
         from evidences v join hypotheses h on h.id = v.hypothesis_id
         where h.incident_id = i.id and v.definition_of_done), '[]') as evidences
     from incidents i
     left join incident_done_states state on state.incident_id = i.id
     left join incident_rule_subjects e on e.incident_id = i.id and e.is_current
     left join incident_rules rule on rule.id = e.rule_id and rule.deleted_at is null
     where i.id = any($1::uuid[]) order by i.id`,
    [incidentIds],
  );
}

/** The incident, kept as it is until the transaction ends; null when it is gone. */
export async function lockForSettling(tx: Queryable, incidentId: string): Promise<SettlingRow | null> {
  const locked = await tx.rows(idRow, 'select id from incidents where id = $1 for no key update', [
    incidentId,
  ]);
  if (locked.length === 0) return null;
  const [row] = await settlingRows(tx, [incidentId]);
  return row ?? null;
}

/** Triggers keep the incident's history of it. */
export async function setStatus(tx: Queryable, incidentId: string, status: string): Promise<void> {
  await tx.run('update incidents set status = $2 where id = $1', [incidentId, status]);
}

/** Writes only what differs from the stored state. */
export async function storeDoneState(
  tx: Queryable,
  incidentId: string,
  { isDone, doneIds }: DoneState,
): Promise<void> {
  await tx.run(
    `insert into incident_done_states (incident_id, is_done, done_ids) values ($1, $2::boolean, $3::uuid[])
     on conflict (incident_id) do update set is_done = excluded.is_done, done_ids = excluded.done_ids
     where incident_done_states.is_done <> excluded.is_done or incident_done_states.done_ids <> excluded.done_ids`,
    [incidentId, isDone, doneIds],
  );
}

/** When the match is to be looked at again; null for never by itself. */
export async function noteDue(tx: Queryable, ruleMatchId: string, dueAt: Date | null): Promise<void> {
  await tx.run('update incident_rule_subjects set due_at = $2::timestamptz where id = $1', [
    ruleMatchId,
    dueAt,
  ]);
}

/** Incidents with a definition of done, or of a rule, that are not over. */
export async function settleableIncidents(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select i.id from incidents i where i.closed is null and (
       exists (select from incident_rule_subjects e where e.incident_id = i.id and e.is_current)
       or exists (select from evidences e join hypotheses h on h.id = e.hypothesis_id
         where h.incident_id = i.id and e.definition_of_done)) order by i.id`,
  );
  return rows.map(({ id }) => id);
}
