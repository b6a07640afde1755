/** Reads what the database itself says of its tables: columns, keys, references, triggers. No list is kept by hand. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

/** How a value of the column stands in JSON. */
const valueForm = z.enum(['text', 'boolean', 'whole', 'number', 'json', 'array', 'other']);
export type ValueForm = z.infer<typeof valueForm>;

const modelColumn = z.strictObject({
  name: z.string(),
  /** As in a create statement. */
  type: z.string(),
  form: valueForm,
  isNotNull: z.boolean(),
  /** The expression of its default. */
  fallback: z.string().nullable(),
});
export type ModelColumn = z.infer<typeof modelColumn>;

const modelReference = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  target: z.string(),
  targetColumns: z.array(z.string()),
  isDeferrable: z.boolean(),
});
export type ModelReference = z.infer<typeof modelReference>;

const modelTable = z.strictObject({
  name: z.string(),
  columns: z.array(modelColumn),
  /** The columns of the primary key; none where the table has no such key. */
  key: z.array(z.string()),
  references: z.array(modelReference),
  /** Triggers that change or make rows at once. Those that run at commit are the change log's. */
  triggers: z.array(z.string()),
  /** What each check constraint demands. */
  checks: z.array(z.strictObject({ name: z.string(), demand: z.string() })),
});
export type ModelTable = z.infer<typeof modelTable>;

const MODEL = `
select class.relname as name,
  (select json_agg(json_build_object(
      'name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod),
      'form', case
        when t.typname in ('json', 'jsonb') then 'json'
        when t.typname in ('int2', 'int4', 'int8') then 'whole'
        when t.typcategory = 'S' then 'text'
        when t.typcategory = 'B' then 'boolean'
        when t.typcategory = 'N' then 'number'
        when t.typcategory = 'A' then 'array'
        else 'other' end,
      'isNotNull', a.attnotnull,
      'fallback', pg_get_expr(d.adbin, d.adrelid)) order by a.attnum)
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = class.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  coalesce((select json_agg(a.attname order by k.place)
    from pg_constraint c
    cross join unnest(c.conkey) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = class.oid and a.attnum = k.number
    where c.conrelid = class.oid and c.contype = 'p'), '[]') as key,
  coalesce((select json_agg(json_build_object(
      'name', c.conname,
      'columns', (select json_agg(a.attname order by k.place)
        from unnest(c.conkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number),
      'target', target.relname,
      'targetColumns', (select json_agg(a.attname order by k.place)
        from unnest(c.confkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number),
      'isDeferrable', c.condeferrable) order by c.conname)
    from pg_constraint c join pg_class target on target.oid = c.confrelid
    where c.conrelid = class.oid and c.contype = 'f' and c.conparentid = 0), '[]') as "references",
  coalesce((select json_agg(tg.tgname order by tg.tgname) from pg_trigger tg
    where tg.tgrelid = class.oid and not tg.tgisinternal and tg.tgenabled <> 'D'
      and not tg.tginitdeferred), '[]') as triggers,
  coalesce((select json_agg(json_build_object('name', c.conname, 'demand', pg_get_constraintdef(c.oid)) order by c.conname)
    from pg_constraint c where c.conrelid = class.oid and c.contype = 'c'), '[]') as checks
from pg_class class
where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p')
order by class.relname collate "C"`;

/** Every table of the database, in the order of their names. */
export function readModel(tx: Queryable): Promise<ModelTable[]> {
  return tx.rows(modelTable, MODEL);
}

/** A name out of the catalogue as SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Several of them, after one another. */
export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
