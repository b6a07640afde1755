import type { Queryable } from '../../db/database.ts';

/** Resolves when the database answers. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.text(`select 'ok'`);
}
