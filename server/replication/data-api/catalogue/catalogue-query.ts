/**
 * Reads the catalogue of one schema. Relations of other schemas are looked at only for what views of this one show
 * of them; they are not offered themselves.
 */
import { z } from 'zod';
import { nameRow } from '../../../platform/db/row-schema.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { withViewKeys, withViewPrimaryKeys } from './catalogue.ts';
import type { Catalogue, Column, ColumnOrigin, Relation } from './catalogue.ts';
import type { DeclaredKey } from './catalogue.ts';
import { readFunctions } from './function-query.ts';
import { parseViewOrigins } from './view-origins.ts';
import { groupBy } from '../../../../src/lib/group-by.ts';

const relationRow = z.strictObject({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
  writable: z.number(),
  columns: z.array(
    z.strictObject({
      position: z.number(),
      name: z.string(),
      type: z.string(),
      is_json: z.boolean(),
      is_structured: z.boolean(),
      is_text_search: z.boolean(),
      default_sql: z.string().nullable(),
    }),
  ),
  unique_keys: z.array(
    z.strictObject({ columns: z.array(z.string()), is_primary: z.boolean(), is_constraint: z.boolean() }),
  ),
});
type RelationRow = z.infer<typeof relationRow>;

/** Domains count as what they are made of. What its comment calls internal is not there, as a way neither. */
const RELATIONS = `
  select c.oid::bigint as oid, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind,
    pg_relation_is_updatable(c.oid, true) as writable,
    (
      select coalesce(json_agg(json_build_object(
        'position', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'is_json', base.typname in ('json', 'jsonb') and base.typnamespace = 'pg_catalog'::regnamespace,
        'is_structured', base.typtype = 'c' or base.typcategory = 'A',
        'is_text_search', base.oid = 'tsvector'::regtype,
        'default_sql', case
          when a.attgenerated <> '' then null
          when a.attidentity <> '' then
            'nextval(' || quote_literal(pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname)) || '::regclass)'
          else coalesce(pg_get_expr(d.adbin, d.adrelid), own.typdefault) end
        ) order by a.attnum), '[]')
      from pg_attribute a
      join pg_type own on own.oid = a.atttypid
      join pg_type base on base.oid = case when own.typtype = 'd' then own.typbasetype else own.oid end
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns,
    (
      select coalesce(json_agg(json_build_object(
        'is_primary', i.indisprimary,
        'is_constraint', exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u')),
        'columns', (
          select json_agg(a.attname order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])
        ))), '[]')
      from pg_index i
      where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indexprs is null
    ) as unique_keys
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_t%'
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and coalesce(obj_description(c.oid, 'pg_class'), '') not like 'internal:%'
  order by c.relname`;

/** A partition's keys are its table's. */
const FOREIGN_KEYS = `
  select k.conname::text as name, k.conrelid::bigint as "from", k.confrelid::bigint as "to",
    (
      select json_agg(a.attname order by u.ordinality)
      from unnest(k.conkey) with ordinality as u(attnum, ordinality)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum
    ) as "fromColumns",
    (
      select json_agg(a.attname order by u.ordinality)
      from unnest(k.confkey) with ordinality as u(attnum, ordinality)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.attnum
    ) as "toColumns"
  from pg_constraint k
  where k.contype = 'f' and k.conparentid = 0
  order by k.conname`;

const VIEW_TREES = `
  select c.oid::bigint as view, r.ev_action::text as tree
  from pg_rewrite r
  join pg_class c on c.oid = r.ev_class
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_t%'
    and c.relkind in ('v', 'm') and r.rulename = '_RETURN'`;

/** Types that a cast may name: those of the schema. */
const TYPES = `
  select t.typname::text as name
  from pg_type t
  where t.typnamespace = $1::text::regnamespace and t.typtype in ('e', 'd')`;

const INSERTABLE = 8;
const UPDATABLE = 4;
const DELETABLE = 16;

/** A table's name of its own, the same for tables of other schemas as long as nobody offers them. */
type Names = ReadonlyMap<number, string>;

function toRelation(row: RelationRow): Relation {
  const can = (bit: number) => (row.writable & bit) !== 0;
  const columns = row.columns.map((column): [string, Column] => [
    column.name,
    {
      name: column.name,
      type: column.type,
      isJson: column.is_json,
      isStructured: column.is_structured,
      isTextSearch: column.is_text_search,
      defaultSql: column.default_sql,
    },
  ]);
  return {
    schema: row.schema,
    name: row.name,
    isTable: row.kind === 'r' || row.kind === 'p' || row.kind === 'f',
    hasRowVersions: row.kind === 'r',
    can: { insert: can(INSERTABLE), update: can(UPDATABLE), delete: can(DELETABLE) },
    columns: new Map(columns),
    primaryKey: row.unique_keys.find((key) => key.is_primary)?.columns ?? [],
    uniqueKeys: row.unique_keys.map((key) => key.columns),
  };
}

function columnOrigins(
  rows: readonly RelationRow[],
  trees: readonly { view: number; tree: string }[],
  names: Names,
): ColumnOrigin[] {
  const byOid = new Map(rows.map((row) => [row.oid, row]));
  return trees.flatMap(({ view, tree }) =>
    parseViewOrigins(tree).flatMap(({ position, relationOid, columnNumber }) => {
      const source = byOid.get(relationOid);
      const fromColumn = source?.columns.find((column) => column.position === columnNumber)?.name;
      const column = byOid.get(view)?.columns.find((entry) => entry.position === position)?.name;
      const viewName = names.get(view);
      const fromRelation = names.get(relationOid);
      if (viewName === undefined || fromRelation === undefined) return [];
      if (fromColumn === undefined || column === undefined) return [];
      return [{ view: viewName, column, fromRelation, fromColumn }];
    }),
  );
}

const keyRow = z.strictObject({
  name: z.string(),
  from: z.number(),
  to: z.number(),
  fromColumns: z.array(z.string()),
  toColumns: z.array(z.string()),
});
type KeyRow = z.infer<typeof keyRow>;

const hasSameColumns = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((column) => others.includes(column));

function declaredKeys(rows: readonly RelationRow[], keys: readonly KeyRow[], names: Names): DeclaredKey[] {
  const byOid = new Map(rows.map((row) => [row.oid, row]));
  return keys.flatMap((key) => {
    const from = names.get(key.from);
    const to = names.get(key.to);
    if (from === undefined || to === undefined) return [];
    const isOneToOne =
      byOid
        .get(key.from)
        ?.unique_keys.some(
          (unique) => unique.is_constraint && hasSameColumns(unique.columns, key.fromColumns),
        ) ?? false;
    return [{ ...key, from, to, isOneToOne }];
  });
}

const viewTree = z.strictObject({ view: z.number(), tree: z.string() });

/** The catalogue as it is now; read again after migrations. */
export async function readCatalogue(db: Queryable, schema: string, isOpen = false): Promise<Catalogue> {
  const rows = await db.rows(relationRow, RELATIONS);
  const names = new Map(
    rows.map((row) => [row.oid, row.schema === schema ? row.name : `${row.schema}\0${row.name}`]),
  );
  const keys = await db.rows(keyRow, FOREIGN_KEYS);
  const trees = await db.rows(viewTree, VIEW_TREES);
  const types = await db.rows(nameRow, TYPES, [schema]);
  const origins = columnOrigins(rows, trees, names);
  const everything = new Map(rows.map((row) => [names.get(row.oid) ?? row.name, toRelation(row)]));
  const relations = new Map(
    [...withViewPrimaryKeys(everything, origins)].filter(([, relation]) => relation.schema === schema),
  );
  const functions = groupBy(await readFunctions(db, schema, relations), ({ name }) => name);
  return {
    schema,
    isOpen,
    relations,
    foreignKeys: withViewKeys(declaredKeys(rows, keys, names), origins).filter(
      (key) => relations.has(key.from) && relations.has(key.to),
    ),
    functions,
    types: new Set(types.map((type) => type.name)),
  };
}
