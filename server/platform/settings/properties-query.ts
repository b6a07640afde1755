/** Properties as the database has them (schema §1.6). */
import { z } from 'zod';
import type { Queryable } from '../db/database.ts';

const propertyRow = z.strictObject({ name: z.string(), value: z.string() });

/** Live properties by name. */
export function readProperties(db: Queryable): Promise<{ name: string; value: string }[]> {
  return db.rows(propertyRow, 'select name, value from properties where deleted_at is null order by name');
}
