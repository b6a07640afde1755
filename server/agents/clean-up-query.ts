/** SQL of what deleted agents leave behind. */
import { z } from 'zod';
import type { Queryable } from '../platform/db/database.ts';

const cleanupRow = z.strictObject({ agent_id: z.string(), deleted_at: z.string() });

/** The deleted agents of whom something may still be here. */
export function readCleanups(db: Queryable): Promise<z.infer<typeof cleanupRow>[]> {
  return db.rows(
    cleanupRow,
    `select agent_id, cleanup.deleted_at from agent_cleanups as cleanup join agents on agents.id = agent_id
      where agents.deleted_at is not null order by agent_id`,
  );
}

/** Takes some of it away; true when nothing is left. */
export async function cleanUpSome(
  tx: Queryable,
  { agentId, deletedAt, most }: { agentId: string; deletedAt: string; most: number },
): Promise<boolean> {
  const count = await tx.text('select delete_agent_rows($1, $2::timestamptz, $3)::text', [
    agentId,
    deletedAt,
    most,
  ]);
  if (Number(count) > 0) return false;
  await tx.run('delete from agent_cleanups where agent_id = $1', [agentId]);
  return true;
}
