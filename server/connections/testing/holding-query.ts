/** For tests only: where in a database a text stands. */
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';

/** Every table, also the internal ones, with all of their columns. */
export async function holding(db: Database, text: string): Promise<string[]> {
  const tables = await db.rows(
    z.custom<{ name: string }>(),
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'm') order by relname`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.rows(
      z.unknown(),
      `select 1 from "${name}" as one where to_jsonb(one)::text like $1 limit 1`,
      [`%${text}%`],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
