/** Whether a live row is there. */
import type { Queryable } from '../platform/db/database.ts';

export type RunnableTable = 'topologies';

/** Whether the table has the row, and it wasn't deleted. */
export async function existsIn(db: Queryable, table: RunnableTable, id: string): Promise<boolean> {
  const found = await db.text(
    `select (exists (select 1 from ${table} where id = $1 and deleted_at is null))::text`,
    [id],
  );
  return found === 'true';
}
