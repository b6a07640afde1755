/** Reads the functions of a schema that can be called by name. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';
import type { ApiFunction, Column, Relation } from './catalogue.ts';

const FUNCTIONS = `
  select p.proname::text as name, p.proretset as returns_set, p.provolatile = 'v' as is_volatile,
    p.prorettype = 'void'::regtype as is_void,
    coalesce(p.pronargdefaults, 0) as default_count,
    p.provariadic <> 0 as is_variadic,
    rows.relname::text as row_relation,
    (
      select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
    ) as row_columns,
    (
      select coalesce(json_agg(json_build_object(
        'name', coalesce(p.proargnames[a.position], ''),
        'type', format_type(a.type, null),
        'mode', coalesce(p.proargmodes[a.position], 'i')) order by a.position), '[]')
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as a(type, position)
    ) as args
  from pg_proc p
  left join pg_type d on d.oid = p.prorettype
  left join pg_type t on t.oid = case when d.typtype = 'd' then d.typbasetype else d.oid end and t.typtype = 'c'
  left join pg_class rows on rows.oid = t.typrelid and rows.relnamespace = p.pronamespace
  where p.pronamespace = $1::text::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and p.prorettype <> 'event_trigger'::regtype
  order by p.proname, p.oid`;

const functionRow = z.strictObject({
  name: z.string(),
  returns_set: z.boolean(),
  is_volatile: z.boolean(),
  is_void: z.boolean(),
  is_variadic: z.boolean(),
  default_count: z.number(),
  row_relation: z.string().nullable(),
  row_columns: z.array(z.strictObject({ name: z.string(), type: z.string() })).nullable(),
  args: z.array(z.strictObject({ name: z.string(), type: z.string(), mode: z.string() })),
});
type FunctionRow = z.infer<typeof functionRow>;

const INPUT_MODES: ReadonlySet<string> = new Set(['i', 'b', 'v']);

function plainColumn({ name, type }: { name: string; type: string }): [string, Column] {
  const base = type.endsWith(')') ? type.split('(', 1)[0] : type;
  const column: Column = {
    name,
    type,
    isJson: base === 'json' || base === 'jsonb',
    isStructured: type.endsWith('[]'),
    isTextSearch: base === 'tsvector',
    defaultSql: null,
  };
  return [name, column];
}

/** What the rows look like of a function that does not return rows of a table. */
function ownShape(schema: string, row: FunctionRow): Relation | null {
  const outputs = row.args.filter((arg) => arg.mode === 'o' || arg.mode === 'b' || arg.mode === 't');
  const columns = outputs.length > 0 ? outputs : row.row_columns;
  if (columns === null) return null;
  return {
    schema,
    name: row.name,
    isTable: false,
    hasRowVersions: false,
    can: { insert: false, update: false, delete: false },
    columns: new Map(columns.map(plainColumn)),
    primaryKey: [],
    uniqueKeys: [],
  };
}

function toFunction(
  schema: string,
  row: FunctionRow,
  relations: ReadonlyMap<string, Relation>,
): ApiFunction[] {
  const inputs = row.args.filter((arg) => INPUT_MODES.has(arg.mode));
  const [only] = inputs;
  const isWholeBody =
    inputs.length === 1 && only?.name === '' && (only.type === 'json' || only.type === 'jsonb');
  // Other arguments are passed by name only.
  if (!isWholeBody && inputs.some((arg) => arg.name === '')) return [];
  const firstOptional = inputs.length - row.default_count;
  return [
    {
      schema,
      name: row.name,
      args: inputs.map((arg, index) => ({
        name: arg.name,
        type: arg.type,
        isOptional: index >= firstOptional || arg.mode === 'v',
        isVariadic: arg.mode === 'v',
      })),
      takesWholeBody: isWholeBody,
      returnsSet: row.returns_set,
      returnsNothing: row.is_void,
      rows:
        (row.row_relation === null ? undefined : relations.get(row.row_relation)) ?? ownShape(schema, row),
      isVolatile: row.is_volatile,
    },
  ];
}

/** Every overload is an entry of its own, in the order in which they were made. */
export async function readFunctions(
  db: Queryable,
  schema: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<ApiFunction[]> {
  const rows = await db.rows(functionRow, FUNCTIONS, [schema]);
  return rows.flatMap((row) => toFunction(schema, row, relations));
}
