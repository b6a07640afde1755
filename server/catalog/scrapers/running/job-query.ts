/** The job history of scrapers (schema §5.3): one row a run, and one when reading a specification fails. */
import { z } from 'zod';
import { idRow } from '../../../platform/db/row-schema.ts';
import type { Queryable } from '../../../platform/db/database.ts';

/** As the product names the job of a scraper's run. */
const RUN = 'Scrape';
const READING = 'SyncScraper';
/** How many runs of each outcome are kept. */
const KEPT_RUNS = 3;

export type RunStatus = 'SUCCESS' | 'WARNING' | 'FAILED';

/** Notes that a run began; answers the row's id. */
export async function startJob(db: Queryable, scraperId: string, hostname: string): Promise<string> {
  const [row] = await db.rows(
    idRow,
    `insert into job_history (name, resource_type, resource_id, status, hostname, time_start, created_at, success_count, error_count)
     values ('${RUN}', 'config_scraper', $1, 'RUNNING', $2, clock_timestamp(), clock_timestamp(), 0, 0) returning id`,
    [scraperId, hostname],
  );
  return row?.id ?? '';
}

export interface JobEnd {
  status: RunStatus;
  details: unknown;
  successCount: number;
  errorCount: number;
}

/** Notes how it ended. */
export async function endJob(tx: Queryable, jobId: string, end: JobEnd): Promise<void> {
  await tx.run(
    `update job_history set status = $2, details = $3::jsonb, success_count = $4, error_count = $5,
       time_end = clock_timestamp(),
       duration_millis = (extract(epoch from clock_timestamp() - time_start) * 1000)::int
     where id = $1`,
    [jobId, end.status, JSON.stringify(end.details), end.successCount, end.errorCount],
  );
}

/** Takes out what is older than the last runs of each outcome. */
export async function trimJobs(tx: Queryable, scraperId: string): Promise<void> {
  await tx.run(
    `delete from job_history where id in (
       select id from (
         select id, row_number() over (partition by status = 'FAILED' order by time_start desc, id desc) as place
         from job_history
         where resource_id = $1 and resource_type = 'config_scraper' and name = '${RUN}' and status <> 'RUNNING'
       ) as ranked where place > ${KEPT_RUNS})`,
    [scraperId],
  );
}

/** Ends rows that a server left running when it was ended itself. Only for scrapers that nobody runs now. */
export async function endLeftJobs(db: Queryable): Promise<number> {
  return db.run(
    `update job_history set status = 'FAILED', time_end = clock_timestamp(),
       error_count = 1, details = '{"errors": ["The server ended while it ran"]}'::jsonb
     where resource_type = 'config_scraper' and name = '${RUN}' and status = 'RUNNING'
       and not exists (
         select 1 from leases where name = 'scraper/' || job_history.resource_id and until > clock_timestamp())`,
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
  scraperId: string,
  problems: readonly string[],
): Promise<void> {
  const [last] = await tx.rows(
    readingRow,
    `select status, details from job_history where resource_id = $1 and name = '${READING}'
     order by created_at desc, time_start desc limit 1`,
    [scraperId],
  );
  const isSame =
    problems.length === 0
      ? last === undefined || last.status === 'SUCCESS'
      : last?.status === 'FAILED' && JSON.stringify(last.details?.errors) === JSON.stringify(problems);
  if (isSame) return;
  const isGood = problems.length === 0;
  await tx.run(
    `insert into job_history (name, resource_type, resource_id, status, success_count, error_count, details, time_start, time_end, duration_millis, created_at)
     values ('${READING}', 'config_scraper', $1, $2, $3, $4, $5::jsonb, clock_timestamp(), clock_timestamp(), 0, clock_timestamp())`,
    [
      scraperId,
      isGood ? 'SUCCESS' : 'FAILED',
      isGood ? 1 : 0,
      problems.length,
      JSON.stringify({ errors: problems }),
    ],
  );
}
