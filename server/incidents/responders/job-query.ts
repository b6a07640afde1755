/** The job history of teams' outside systems (schema §8.3). */
import type { Database } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

const KEPT_OF_EACH_OUTCOME = 3;

export interface TeamJob {
  teamId: string;
  name: string;
  startedAt: Date;
  endedAt: Date;
  successCount: number;
  errors: readonly string[];
}

function statusOf({ successCount, errors }: TeamJob): 'SUCCESS' | 'WARNING' | 'FAILED' {
  if (errors.length === 0) return 'SUCCESS';
  return successCount > 0 ? 'WARNING' : 'FAILED';
}

/** Notes how a job went; of each outcome the newest few are kept. */
export async function noteTeamJob(db: Database, job: TeamJob): Promise<void> {
  const { teamId, name, startedAt, endedAt, successCount, errors } = job;
  const durationMs = endedAt.getTime() - startedAt.getTime();
  await db.transaction(async (tx) => {
    await tx.run(
      `insert into job_history (name, resource_type, resource_id, status, success_count, error_count, details,
         time_start, time_end, duration_millis, created_at)
       values ($1, 'team', $2, $3, $4, $5, $6::jsonb, $7::timestamptz, $8::timestamptz, $9, $7::timestamptz)`,
      [
        name,
        teamId,
        statusOf(job),
        successCount,
        errors.length,
        toJson({ errors }),
        startedAt,
        endedAt,
        durationMs,
      ],
    );
    await tx.run(
      `delete from job_history where id in (
         select id from (
           select id, row_number() over (partition by status order by time_start desc, id desc) as place
             from job_history where resource_type = 'team' and resource_id = $1 and name = $2
         ) as ranked where place > ${KEPT_OF_EACH_OUTCOME})`,
      [teamId, name],
    );
  });
}
