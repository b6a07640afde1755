/** The job history of reading canaries: a row when the outcome changes, so that it tells when and what. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';
import type { FileProblem } from '../../platform/yaml/yaml-file.ts';

const JOB = 'SyncCanary';

const syncRow = z.strictObject({
  status: z.string().nullable(),
  /** Null also for what was noted in another form. */
  details: z
    .object({ errors: z.array(z.object({ message: z.string() })) })
    .nullable()
    .catch(null),
});

/** Notes how reading a canary went; without problems only where the last time had some. */
export async function noteSync(
  tx: Queryable,
  canaryId: string,
  problems: readonly Pick<FileProblem, 'message'>[],
): Promise<void> {
  const [last] = await tx.rows(
    syncRow,
    `select status, details from job_history where resource_id = $1 and name = '${JOB}' order by created_at desc, time_start desc limit 1`,
    [canaryId],
  );
  const isSame =
    problems.length === 0
      ? last === undefined || last.status === 'SUCCESS'
      : last?.status === 'FAILED' &&
        toJson(last.details?.errors.map((e) => e.message)) === toJson(problems.map((p) => p.message));
  if (isSame) return;
  await tx.run(
    `insert into job_history (name, resource_type, resource_id, status, success_count, error_count, details, time_start, time_end, duration_millis, created_at)
     values ('${JOB}', 'canary', $1, $2, $3, $4, $5::jsonb, clock_timestamp(), clock_timestamp(), 0, clock_timestamp())`,
    [
      canaryId,
      problems.length === 0 ? 'SUCCESS' : 'FAILED',
      problems.length === 0 ? 1 : 0,
      problems.length,
      toJson({ errors: problems }),
    ],
  );
}
