/** Empties a table whose rows a data set brings as a whole. */
import type { Queryable } from '../../platform/db/database.ts';
import { quoted } from './model-query.ts';

/** Removes all rows; what refers to them has to be gone or deferred. */
export async function clearTable(tx: Queryable, table: string): Promise<void> {
  await tx.run(`delete from ${quoted(table)}`);
}
