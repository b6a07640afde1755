import type { Queryable } from '../../platform/db/database.ts';

/** Resolves when the database answers. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.text(`select 'ok'`);
}
