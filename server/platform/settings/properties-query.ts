import type { Queryable } from '../db/database.ts';

/** Live properties by name. */
export function readProperties(db: Queryable): Promise<{ name: string; value: string }[]> {
  return db.rows('select name, value from properties where deleted_at is null order by name');
}
