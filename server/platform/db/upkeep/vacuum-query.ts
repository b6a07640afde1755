/** SQL of what PostgreSQL's autovacuum does by itself, for PGlite, which has none. */
import { z } from 'zod';
import type { Database, Queryable } from '../database.ts';

const dueRow = z.strictObject({ name: z.string(), is_old: z.boolean(), needs_vacuum: z.boolean() });
export type DueTable = z.infer<typeof dueRow>;

/**
 * Tables that changed so much that autovacuum would see to them, by its own settings: dead rows and added ones for a
 * vacuum, changed ones and those that were never counted for an analyze; `is_old` where the numbers of transactions come
 * near their end. The catalogs of the database are among them.
 */
export async function dueTables(db: Queryable): Promise<DueTable[]> {
  await db.text('select pg_stat_force_next_flush()::text');
  return db.rows(
    dueRow,
    `with own as (
       select format('%I.%I', space.nspname, class.relname) as name, greatest(class.reltuples, 0) as rows,
         class.reltuples < 0 as is_uncounted, coalesce(stat.n_dead_tup, 0) as dead,
         coalesce(stat.n_ins_since_vacuum, 0) as added, coalesce(stat.n_mod_since_analyze, 0) as changed,
         age(class.relfrozenxid) > current_setting('autovacuum_freeze_max_age')::int as is_old
       from pg_class as class
       join pg_namespace as space on space.oid = class.relnamespace
       left join pg_stat_all_tables as stat on stat.relid = class.oid
       where class.relkind in ('r', 'm') and class.relpersistence <> 't'
     ), judged as (
       select name, is_old,
         is_old
           or dead > current_setting('autovacuum_vacuum_threshold')::float8
             + current_setting('autovacuum_vacuum_scale_factor')::float8 * rows
           or added > current_setting('autovacuum_vacuum_insert_threshold')::float8
             + current_setting('autovacuum_vacuum_insert_scale_factor')::float8 * rows as needs_vacuum,
         is_uncounted
           or changed > current_setting('autovacuum_analyze_threshold')::float8
             + current_setting('autovacuum_analyze_scale_factor')::float8 * rows as needs_analyze
       from own
     )
     select name, is_old, needs_vacuum from judged where needs_vacuum or needs_analyze order by is_old desc, name`,
  );
}

/** Frees what dead rows of the table hold where that is due, and counts its rows for the planner. */
export function vacuumTable(
  db: Pick<Database, 'script'>,
  { name, is_old: isOld, needs_vacuum: needsVacuum }: DueTable,
) {
  return db.script(needsVacuum ? `vacuum (analyze, freeze ${isOld}) ${name}` : `analyze ${name}`);
}
