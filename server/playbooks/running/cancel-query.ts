/** SQL of ends that people ask for. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';

/** An agent has this long to end what somebody cancelled. */
const AGENT_GRACE_MS = 60_000;

const statusRow = z.strictObject({ status: z.string() });

/**
 * Ends a run that nothing is under way of, and asks for the end of what is; `over` when it had ended before, null when
 * there is none.
 */
export async function requestCancel(
  tx: Queryable,
  { runId, personId, now }: { runId: string; personId: string; now: Date },
): Promise<'cancelled' | 'asked' | 'over' | null> {
  const [run] = await tx.rows(statusRow, 'select status from playbook_runs where id = $1 for update', [
    runId,
  ]);
  if (run === undefined) return null;
  if (['completed', 'failed', 'cancelled'].includes(run.status)) return 'over';
  await tx.run(
    `update playbook_run_states set cancel_requested_at = $2::timestamptz, cancel_requested_by = $3 where run_id = $1`,
    [runId, now, personId],
  );
  if (run.status === 'running') {
    // Where an agent has the action and says nothing, the run is over after this.
    await tx.run(
      'update playbook_runs set scheduled_time = least(scheduled_time, $2::timestamptz) where id = $1',
      [runId, new Date(now.getTime() + AGENT_GRACE_MS)],
    );
    return 'asked';
  }
  await tx.run(
    `update playbook_run_actions set status = 'failed', error = 'Cancelled', end_time = $2::timestamptz
      where playbook_run_id = $1 and status in ('waiting', 'scheduled')`,
    [runId, now],
  );
  await tx.run(`update playbook_runs set status = 'cancelled', end_time = $2::timestamptz where id = $1`, [
    runId,
    now,
  ]);
  return 'cancelled';
}

/** Those of the runs whose end was asked for. */
export async function readCancelled(db: Queryable, runIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select run_id as id from playbook_run_states where run_id = any($1::uuid[]) and cancel_requested_at is not null`,
    [runIds],
  );
  return rows.map(({ id }) => id);
}
