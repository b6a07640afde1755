/** For tests only: the names of everything in the database that the data API could be asked for. */
import { z } from 'zod';
import type { Queryable } from '../../../server/platform/db/database.ts';

/** Tables, views and functions, the latter with `rpc/` before them; those of triggers can't be called. */
export async function allRelations(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    z.custom<{ name: string }>(),
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
     union
     select 'rpc/' || p.proname from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype and p.prokind = 'f'`,
  );
  return rows.map(({ name }) => name);
}
