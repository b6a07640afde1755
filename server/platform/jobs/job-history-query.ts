/** The job history of what runs again and again (schema §8.3): a row a run, and one when reading a specification fails. */
import { z } from 'zod';
import { idRow } from '../db/row-schema.ts';
import type { Queryable } from '../db/database.ts';
import { toJson } from '../db/to-json.ts';

export type RunStatus = 'SUCCESS' | 'WARNING' | 'FAILED';

export interface JobEnd {
  status: RunStatus;
  details: unknown;
  successCount: number;
  errorCount: number;
}

/** Which rows are one job's. */
interface Job {
  /** As the product names it. */
  name: string;
  resourceType: string;
}

/** How many runs of each outcome are kept. */
const KEPT_RUNS = 3;

/** Notes that a run began; answers the row's id. */
export async function startJob(
  db: Queryable,
  { name, resourceType, resourceId }: Job & { resourceId: string | null },
  hostname: string,
): Promise<string> {
  const [row] = await db.rows(
    idRow,
    `insert into job_history (name, resource_type, resource_id, status, hostname, time_start, created_at, success_count, error_count)
     values ($1, $2, $3, 'RUNNING', $4, clock_timestamp(), clock_timestamp(), 0, 0) returning id`,
    [name, resourceType, resourceId, hostname],
  );
  return row?.id ?? '';
}

/** Notes how it ended. */
export async function endJob(tx: Queryable, jobId: string, end: JobEnd): Promise<void> {
  await tx.run(
    `update job_history set status = $2, details = $3::jsonb, success_count = $4, error_count = $5,
       time_end = clock_timestamp(),
       duration_millis = (extract(epoch from clock_timestamp() - time_start) * 1000)::int
     where id = $1`,
    [jobId, end.status, toJson(end.details), end.successCount, end.errorCount],
  );
}

/** Takes out what is older than the last runs of each outcome. */
export async function trimJobs(
  tx: Queryable,
  { name, resourceType, resourceId }: Job & { resourceId: string | null },
): Promise<void> {
  await tx.run(
    `delete from job_history where id in (
       select id from (
         select id, row_number() over (partition by status = 'FAILED' order by time_start desc, id desc) as place
         from job_history
         where resource_id is not distinct from $1 and resource_type = $2 and name = $3 and status <> 'RUNNING'
       ) as ranked where place > ${KEPT_RUNS})`,
    [resourceId, resourceType, name],
  );
}

/** Ends rows that a server left running when it was ended itself: those whose lease nobody holds now. */
export async function endLeftJobs(
  db: Queryable,
  { name, resourceType, leasePrefix }: Job & { leasePrefix: string },
): Promise<number> {
  return db.run(
    `update job_history set status = 'FAILED', time_end = clock_timestamp(),
       error_count = 1, details = '{"errors": ["The server ended while it ran"]}'::jsonb
     where resource_type = $1 and name = $2 and status = 'RUNNING'
       and not exists (
         select 1 from leases where name = $3 || job_history.resource_id and until > clock_timestamp())`,
    [resourceType, name, leasePrefix],
  );
}

const readingRow = z.strictObject({
  status: z.string().nullable(),
  /** Null also for what was noted in another form. */
  details: z
    .object({ errors: z.array(z.string()) })
    .nullable()
    .catch(null),
});

/** Notes how reading a specification went: a row when it differs from the last time. */
export async function noteReading(
  tx: Queryable,
  { name, resourceType, resourceId }: Job & { resourceId: string },
  problems: readonly string[],
): Promise<void> {
  const [last] = await tx.rows(
    readingRow,
    `select status, details from job_history where resource_id = $1 and name = $2
     order by created_at desc, time_start desc limit 1`,
    [resourceId, name],
  );
  const isSame =
    problems.length === 0
      ? last === undefined || last.status === 'SUCCESS'
      : last?.status === 'FAILED' && toJson(last.details?.errors) === toJson(problems);
  if (isSame) return;
  const isGood = problems.length === 0;
  await tx.run(
    `insert into job_history (name, resource_type, resource_id, status, success_count, error_count, details, time_start, time_end, duration_millis, created_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, clock_timestamp(), clock_timestamp(), 0, clock_timestamp())`,
    [
      name,
      resourceType,
      resourceId,
      isGood ? 'SUCCESS' : 'FAILED',
      isGood ? 1 : 0,
      problems.length,
      toJson({ errors: problems }),
    ],
  );
}
