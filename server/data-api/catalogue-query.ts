/** Reads the catalogue of schema public. */
import type { Queryable } from '../db/database.ts';
import { withViewKeys } from './catalogue.ts';
import type { ApiFunction, Catalogue, Column, ColumnOrigin, ForeignKey, Relation } from './catalogue.ts';
import { parseViewOrigins } from './view-origins.ts';

interface RelationRow {
  oid: number;
  name: string;
  kind: string;
  columns: { position: number; name: string; type: string }[];
  unique_keys: { columns: string[]; is_primary: boolean }[];
}

const RELATIONS = `
  select c.oid::bigint as oid, c.relname::text as name, c.relkind::text as kind,
    (
      select coalesce(json_agg(json_build_object(
        'position', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns,
    (
      select coalesce(json_agg(json_build_object('is_primary', i.indisprimary, 'columns', (
        select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any(i.indkey)))), '[]')
      from pg_index i
      where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indexprs is null
    ) as unique_keys
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  order by c.relname`;

const FOREIGN_KEYS = `
  select k.conname::text as name, source.relname::text as "from", target.relname::text as "to",
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
  join pg_class source on source.oid = k.conrelid
  join pg_class target on target.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace
  order by k.conname`;

const VIEW_TREES = `
  select c.relname::text as view, r.ev_action::text as tree
  from pg_rewrite r join pg_class c on c.oid = r.ev_class
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm') and r.rulename = '_RETURN'`;

const FUNCTIONS = `
  select p.proname::text as name, p.proretset as returns_set, p.provolatile = 'v' as is_volatile,
    coalesce(p.pronargdefaults, 0) as default_count,
    rows.relname::text as row_relation,
    (
      select coalesce(json_agg(json_build_object(
        'name', coalesce(p.proargnames[a.position], ''),
        'type', format_type(a.type, null),
        'mode', coalesce(p.proargmodes[a.position], 'i')) order by a.position), '[]')
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as a(type, position)
    ) as args
  from pg_proc p
  left join pg_type t on t.oid = p.prorettype
  left join pg_class rows on rows.oid = t.typrelid and rows.relnamespace = 'public'::regnamespace
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
  order by p.proname`;

interface FunctionRow {
  name: string;
  returns_set: boolean;
  is_volatile: boolean;
  default_count: number;
  row_relation: string | null;
  args: { name: string; type: string; mode: string }[];
}

function toRelation(row: RelationRow): Relation {
  return {
    name: row.name,
    isTable: row.kind === 'r' || row.kind === 'p',
    columns: new Map(row.columns.map(({ name, type }) => [name, { name, type }])),
    primaryKey: row.unique_keys.find((key) => key.is_primary)?.columns ?? [],
    uniqueKeys: row.unique_keys.map((key) => key.columns),
  };
}

function toFunction(row: FunctionRow, relations: ReadonlyMap<string, Relation>): ApiFunction[] {
  const inputs = row.args.filter((arg) => arg.mode === 'i' || arg.mode === 'b');
  // Arguments are passed by name only.
  if (inputs.some((arg) => arg.name === '')) return [];
  const outputs: [string, Column][] = row.args
    .filter((arg) => arg.mode !== 'i')
    .map((arg) => [arg.name, { name: arg.name, type: arg.type }]);
  const ownShape: Relation | null =
    outputs.length > 1
      ? { name: row.name, isTable: false, columns: new Map(outputs), primaryKey: [], uniqueKeys: [] }
      : null;
  const firstOptional = inputs.length - row.default_count;
  return [
    {
      name: row.name,
      args: inputs.map((arg, index) => ({
        name: arg.name,
        type: arg.type,
        isOptional: index >= firstOptional,
      })),
      returnsSet: row.returns_set,
      rows: (row.row_relation === null ? undefined : relations.get(row.row_relation)) ?? ownShape,
      isVolatile: row.is_volatile,
    },
  ];
}

function columnOrigins(
  rows: readonly RelationRow[],
  trees: readonly { view: string; tree: string }[],
): ColumnOrigin[] {
  const byOid = new Map(rows.map((row) => [row.oid, row]));
  const byName = new Map(rows.map((row) => [row.name, row]));
  return trees.flatMap(({ view, tree }) =>
    parseViewOrigins(tree).flatMap(({ position, relationOid, columnNumber }) => {
      const source = byOid.get(relationOid);
      const fromColumn = source?.columns.find((column) => column.position === columnNumber)?.name;
      const column = byName.get(view)?.columns.find((entry) => entry.position === position)?.name;
      if (source === undefined || fromColumn === undefined || column === undefined) return [];
      return [{ view, column, fromRelation: source.name, fromColumn }];
    }),
  );
}

/** The catalogue as it is now; read again after migrations. */
export async function readCatalogue(db: Queryable): Promise<Catalogue> {
  const rows = await db.rows<RelationRow>(RELATIONS);
  const relations = new Map(rows.map((row) => [row.name, toRelation(row)]));
  const declared = await db.rows<Omit<ForeignKey, 'isDeclared'>>(FOREIGN_KEYS);
  const trees = await db.rows<{ view: string; tree: string }>(VIEW_TREES);
  const functions = new Map<string, ApiFunction[]>();
  for (const row of await db.rows<FunctionRow>(FUNCTIONS)) {
    functions.set(row.name, [...(functions.get(row.name) ?? []), ...toFunction(row, relations)]);
  }
  return { relations, foreignKeys: withViewKeys(declared, columnOrigins(rows, trees)), functions };
}
