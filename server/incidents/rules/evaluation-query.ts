/** SQL of rounds: what has changed, what is due, and the job history of it. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { SUBJECT_KINDS } from './subject-kinds.ts';
import { toJson } from '../../platform/db/to-json.ts';

const ROUND = 'incidents';

const wake = z.strictObject({
  kind: z.enum([...SUBJECT_KINDS, 'analysis', 'incident', 'rule']),
  id: z.string(),
});
export type Wake = z.infer<typeof wake>;
export type WakeKind = Wake['kind'];

/** True when something changed, a time has come, or no whole round was since `wholeBefore`. */
export async function isEvaluationDue(db: Queryable, now: Date, wholeBefore: Date): Promise<boolean> {
  const due = await db.text(
    `select (exists (select 1 from incident_wakes)
       or exists (select 1 from incident_rule_subjects where is_current and due_at <= $1::timestamptz)
       or not exists (select 1 from incident_rounds
         where name = '${ROUND}' and last_whole_at > $2::timestamptz and last_whole_at <= $1::timestamptz))::text`,
    [now, wholeBefore],
  );
  return due === 'true';
}

const wholeRoundRow = z.strictObject({ at: z.string().nullable() });

/** When all incidents were looked after last, in ms; null for never. */
export async function lastWholeRound(db: Queryable): Promise<number | null> {
  const [row] = await db.rows(
    wholeRoundRow,
    `select last_whole_at as at from incident_rounds where name = '${ROUND}'`,
  );
  return row?.at == null ? null : Date.parse(row.at);
}

/** Notes that all incidents were looked after at that moment. */
export async function noteWholeRound(db: Queryable, at: Date): Promise<void> {
  await db.run(
    `insert into incident_rounds (name, last_whole_at) values ('${ROUND}', $1::timestamptz)
     on conflict (name) do update set last_whole_at = excluded.last_whole_at`,
    [at],
  );
}

/** Takes what has changed out of the queue. What a server took that then died is found by the next whole round. */
export function takeWakes(db: Queryable, limit: number): Promise<Wake[]> {
  return db.rows(
    wake,
    `delete from incident_wakes where (kind, subject_id) in (
       select kind, subject_id from incident_wakes order by at limit $1::int for update skip locked)
     returning kind, subject_id as id`,
    [limit],
  );
}

const dueSubject = z.strictObject({
  kind: z.enum(SUBJECT_KINDS),
  subject_id: z.string(),
  incident_id: z.string().nullable(),
});

/** Subjects whose time has come, with the incident that they have. */
export function dueSubjects(db: Queryable, now: Date, limit: number): Promise<z.infer<typeof dueSubject>[]> {
  return db.rows(
    dueSubject,
    `select kind, subject_id, incident_id from incident_rule_subjects
     where is_current and due_at <= $1::timestamptz order by due_at limit $2::int`,
    [now, limit],
  );
}

/** What a due time was for has been looked at. */
export async function forgetDue(db: Queryable, now: Date): Promise<void> {
  await db.run(
    'update incident_rule_subjects set due_at = null where is_current and incident_id is null and due_at <= $1::timestamptz',
    [now],
  );
}

export interface JobNote {
  name: 'IncidentRules' | 'DefinitionOfDone';
  ruleId: string | null;
  status: 'SUCCESS' | 'WARNING' | 'FAILED';
  successCount: number;
  errors: readonly string[];
  summary: object;
  startedAt: Date;
  endedAt: Date;
  hostname: string;
}

/** How many runs of each outcome are kept of a job (schema §8.3). */
const KEPT = 3;

/** Notes a run in the job history, and takes out older ones. */
export async function noteJob(db: Queryable, job: JobNote): Promise<void> {
  const resourceId = job.ruleId ?? '';
  await db.run(
    `insert into job_history (name, resource_type, resource_id, status, success_count, error_count, details, hostname,
       time_start, time_end, duration_millis, created_at)
     values ($1, 'incident_rule', $2, $3, $4, $5, $6::jsonb, $7, $8::timestamptz, $9::timestamptz,
       (extract(epoch from $9::timestamptz - $8::timestamptz) * 1000)::int, clock_timestamp())`,
    [
      job.name,
      resourceId,
      job.status,
      job.successCount,
      job.errors.length,
      toJson({ errors: job.errors.slice(0, 20), summary: job.summary }),
      job.hostname,
      job.startedAt,
      job.endedAt,
    ],
  );
  await db.run(
    `delete from job_history where id in (
       select id from (
         select id, row_number() over (partition by status = 'SUCCESS' order by created_at desc, id desc) as place
         from job_history where name = $1 and resource_type = 'incident_rule' and resource_id = $2
       ) as ranked where place > ${KEPT})`,
    [job.name, resourceId],
  );
}
