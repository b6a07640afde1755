/** The log selectors of a component. */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import type { Queryable } from '../platform/db/database.ts';
import { problemsOf } from '../platform/yaml/document-problems.ts';

const selectorsSchema = z.array(z.looseObject({ name: z.string().default('') }));

const selectorsRow = z.strictObject({ log_selectors: z.unknown() });

/** The names in the component's order; null when there is no such component. */
export async function readLogSelectors(db: Queryable, id: string): Promise<string[] | null> {
  const rows = await db.rows(
    selectorsRow,
    'select log_selectors from components where id = $1 and deleted_at is null',
    [id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const parsed = selectorsSchema.safeParse(row.log_selectors ?? []);
  if (parsed.success) return parsed.data.map(({ name }) => name);
  const problems = problemsOf(parsed.error, ['logSelectors'], row.log_selectors);
  throw new AppError('invalid', problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
}
