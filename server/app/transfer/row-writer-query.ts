/**
 * Writes the rows of one table, many a statement. A batch that the database refuses is halved until the rows that
 * it can't take stand alone, so that all of them can be told, each with its column and reason.
 */
import type { Queryable } from '../../platform/db/database.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import { isBuiltIn, localColumnsOf, localKeyOf } from './data-set.ts';
import type { JsonRow } from './json-rows.ts';
import { quoted, quotedList } from './model-query.ts';
import type { ModelColumn, ModelTable } from './model-query.ts';
import type { Problems } from './problems.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Data that doesn't fit, broken constraints, limits of the program (depth, size), refusals of functions. */
const REFUSALS = ['22', '23', '54', '0A'];

function isRefusal(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && REFUSALS.includes(error.sqlState.slice(0, 2));
}

/** Runs the work in a savepoint; answers the refusal instead of throwing it. */
async function attempt(tx: Queryable, work: () => Promise<unknown>): Promise<DatabaseError | null> {
  await tx.run('savepoint attempt');
  try {
    await work();
    await tx.run('release savepoint attempt');
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await tx.run('rollback to savepoint attempt');
    await tx.run('release savepoint attempt');
    return error;
  }
}

/** What a column gets: the row's value, and its default where a row hasn't got one. */
function valueOf({ name, fallback, isNotNull }: ModelColumn): string {
  const given = `given.${quoted(name)}`;
  if (fallback === null) return given;
  if (isNotNull) return `coalesce(${given}, ${fallback})`;
  // A written null is a value, a missing column is none.
  return `case when input.row ? '${name.replaceAll("'", "''")}' then ${given} else ${fallback} end`;
}

/** Columns that no row of the batch has, and that have no default, would only be null. */
function columnsFor(table: ModelTable, rows: readonly JsonRow[]): ModelColumn[] {
  const local = new Set([localKeyOf(table.name), ...localColumnsOf(table.name)]);
  const present = new Set(rows.flatMap(({ value }) => Object.keys(value ?? {})));
  return table.columns.filter(
    ({ name, fallback }) => !local.has(name) && (present.has(name) || fallback !== null),
  );
}

function conflictClause(table: ModelTable, columns: readonly ModelColumn[], isOver: boolean): string {
  if (localKeyOf(table.name) !== null) return 'on conflict do nothing';
  if (!isOver) return '';
  const news = columns.map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`);
  return `on conflict (${quotedList(table.key)}) do update set ${news.join(', ')}`;
}

async function insert(
  tx: Queryable,
  table: ModelTable,
  { rows, isOver = false }: { rows: readonly JsonRow[]; isOver?: boolean },
): Promise<void> {
  const columns = columnsFor(table, rows);
  if (columns.length === 0) return;
  await tx.run(
    `insert into ${quoted(table.name)} (${quotedList(columns.map(({ name }) => name))})
     select ${columns.map(valueOf).join(', ')}
     from jsonb_array_elements($1::jsonb) with ordinality as input (row, place)
     cross join lateral jsonb_populate_record(null::${quoted(table.name)}, input.row) as given
     order by input.place ${conflictClause(table, columns, isOver)}`,
    [`[${rows.map(({ text }) => text).join(',')}]`],
  );
}

/** How a row is called in messages: its id, or the values of its key. */
export function nameOfRow(table: ModelTable, value: Readonly<Record<string, unknown>>): string | null {
  const naming = value['id'] === undefined ? table.key : ['id'];
  const parts = naming.flatMap((name) => {
    const part = value[name];
    return typeof part === 'string' || typeof part === 'number' ? [`${name} ${part}`] : [];
  });
  return parts.length === 0 ? null : parts.join(', ');
}

function reasonOf(table: ModelTable, { sqlState, message, detail, constraint }: DatabaseError): string {
  if (sqlState === '23505') return `has a key that is there already: ${detail ?? message}`;
  const check = table.checks.find(({ name }) => name === constraint);
  if (sqlState === '23514' && check !== undefined) return `doesn't keep ${check.name}: ${check.demand}`;
  return detail === null ? message : `${message} (${detail})`;
}

/** The columns whose values alone the database can't read, each with its reason. */
async function unreadable(
  tx: Queryable,
  table: ModelTable,
  { text, value }: JsonRow,
): Promise<{ column: string; reason: string }[]> {
  const found: { column: string; reason: string }[] = [];
  // As it was written, since a number may be none for JavaScript; unless all of the row is no JSON for the database.
  const isWhole = (await attempt(tx, () => tx.text('select ($1::jsonb) is null', [text]))) === null;
  for (const { name: column } of table.columns) {
    const own = value?.[column] ?? null;
    if (own === null) continue;
    const source = isWhole ? text : toJson({ [column]: own });
    const error = await attempt(tx, () =>
      tx.text(
        `select (jsonb_populate_record(null::${quoted(table.name)},
           jsonb_build_object($2::text, $1::jsonb -> $2::text))) is null`,
        [source, column],
      ),
    );
    if (error !== null) found.push({ column, reason: reasonOf(table, error) });
  }
  return found;
}

async function explain(
  tx: Queryable,
  {
    table,
    row,
    error,
    problems,
  }: { table: ModelTable; row: JsonRow; error: DatabaseError; problems: Problems },
): Promise<void> {
  const value = row.value ?? {};
  const about = { table: table.name, row: row.number, id: nameOfRow(table, value) };
  const found = error.sqlState.startsWith('23') ? [] : await unreadable(tx, table, row);
  for (const problem of found) problems.add({ ...about, ...problem });
  if (found.length === 0) {
    problems.add({ ...about, column: error.column, reason: reasonOf(table, error) });
  }
}

/** Inserts the rows; those that can't be taken end up among the problems. */
export async function writeRows(
  tx: Queryable,
  table: ModelTable,
  { rows, problems, isOver = false }: { rows: readonly JsonRow[]; problems: Problems; isOver?: boolean },
): Promise<void> {
  const [first] = rows;
  if (first === undefined || problems.isFull()) return;
  const error = await attempt(tx, () => insert(tx, table, { rows, isOver }));
  if (error === null) return;
  if (rows.length === 1) {
    await explain(tx, { table, row: first, error, problems });
    return;
  }
  const middle = Math.ceil(rows.length / 2);
  await writeRows(tx, table, { rows: rows.slice(0, middle), problems, isOver });
  await writeRows(tx, table, { rows: rows.slice(middle), problems, isOver });
}

/** Makes room for a row that this database was born with under an id of its own: who pointed to it, follows. */
async function adoptSystemPerson(tx: Queryable, tables: readonly ModelTable[], id: string): Promise<void> {
  const own = await tx.text(
    "select id::text from people where name = 'System' and email is null order by created_at, id limit 1",
  );
  if (own === null || own === id) return;
  await tx.run('update people set id = $1 where id = $2', [id, own]);
  for (const table of tables) {
    for (const { target, targetColumns, columns } of table.references) {
      const [column] = columns;
      if (target !== 'people' || targetColumns[0] !== 'id' || column === undefined) continue;
      await tx.run(`update ${quoted(table.name)} set ${quoted(column)} = $1 where ${quoted(column)} = $2`, [
        id,
        own,
      ]);
    }
  }
}

/** Writes the rows that every database has over its own. */
export async function writeBuiltIns(
  tx: Queryable,
  table: ModelTable,
  { rows, problems, tables }: { rows: readonly JsonRow[]; problems: Problems; tables: readonly ModelTable[] },
): Promise<void> {
  const system = table.name === 'people' ? rows[0]?.value?.['id'] : undefined;
  if (typeof system === 'string' && rows.length === 1) {
    const error = await attempt(tx, () => adoptSystemPerson(tx, tables, system));
    const [row] = rows;
    if (error !== null && row !== undefined) return explain(tx, { table, row, error, problems });
  }
  await writeRows(tx, table, { rows, problems, isOver: true });
}

/** The rows of a batch, apart: those that every database has, and the others. */
export function partBuiltIns(
  table: ModelTable,
  rows: readonly JsonRow[],
): { builtIns: JsonRow[]; others: JsonRow[] } {
  const builtIns = rows.filter(({ value }) => value !== null && isBuiltIn(table.name, value));
  return { builtIns, others: rows.filter((row) => !builtIns.includes(row)) };
}
