/** The log selectors of a component. */
import { z } from 'zod';
import type { Queryable } from '../platform/db/database.ts';

const selectorsSchema = z.array(z.looseObject({ name: z.string().catch('') })).catch([]);

const selectorsRow = z.strictObject({ log_selectors: z.unknown() });

/** The names in the component's order; null when there is no such component. */
export async function readLogSelectors(db: Queryable, id: string): Promise<string[] | null> {
  const rows = await db.rows(
    selectorsRow,
    'select log_selectors from components where id = $1 and deleted_at is null',
    [id],
  );
  const [row] = rows;
  return row === undefined ? null : selectorsSchema.parse(row.log_selectors ?? []).map(({ name }) => name);
}
