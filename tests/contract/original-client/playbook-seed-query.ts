/** For tests only: a step of the run of the shared data set, as the server writes it. */
import type { Database } from '../../../server/platform/db/database.ts';
import { RUN, STEP } from './ids.ts';

/** Adds the step. */
export async function seedStep(db: Database): Promise<void> {
  await db.run(
    `insert into playbook_run_actions (id, playbook_run_id, name, status, start_time, end_time, result)
     values ($1, $2, 'echo', 'completed', now(), now(), '{"stdout": "hello", "stderr": "", "exitCode": 0}')`,
    [STEP, RUN],
  );
}
