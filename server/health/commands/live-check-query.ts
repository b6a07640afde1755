/** Checks as commands about them need them. */
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

/** Whether there is such a check. */
export async function isLiveCheck(tx: Queryable, id: string): Promise<boolean> {
  const found = await tx.rows(idRow, 'select id from checks where id = $1 and deleted_at is null', [id]);
  return found.length > 0;
}
