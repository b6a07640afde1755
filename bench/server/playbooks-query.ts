/** When runs of playbooks began, and how they ended. */
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';

const runRow = z.strictObject({ status: z.string(), delay_ms: z.number().nullable() });

/** Of one playbook. */
export function readStarts(db: Database, playbookId: string): Promise<z.infer<typeof runRow>[]> {
  return db.rows(
    runRow,
    `select status, extract(epoch from start_time - created_at) * 1000 as delay_ms from playbook_runs where playbook_id = $1`,
    [playbookId],
  );
}
