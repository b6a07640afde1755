/** Reads a table as JSON text, a thousand rows at a time, in an order that is the same on every database. */
import type { Queryable } from '../../platform/db/database.ts';
import { localKeyOf } from './data-set.ts';
import { quoted, quotedList } from './model-query.ts';
import type { ModelTable } from './model-query.ts';

const PIECE_ROWS = 1_000;

/** Texts by their characters' numbers: the collation of the database would make another order on another server. */
function orderOf(table: ModelTable, row: string): string {
  const localKey = localKeyOf(table.name);
  if (table.key.length === 0 || localKey !== null) return `${row} collate "C"`;
  return table.key
    .map((name) => {
      const isText = table.columns.some((column) => column.name === name && column.form === 'text');
      return `source.${quoted(name)}${isText ? ' collate "C"' : ''}`;
    })
    .join(', ');
}

function selectSql(table: ModelTable, blank: readonly string[]): string {
  const localKey = localKeyOf(table.name);
  const columns = table.columns
    .filter(({ name }) => name !== localKey)
    .map(({ name, type }) =>
      blank.includes(name) ? `null::${type} as ${quoted(name)}` : `source.${quoted(name)}`,
    );
  return `select row_to_json(shown)::text as line,
      row_number() over (order by ${orderOf(table, 'row_to_json(shown)::text')}) as place
    from ${quoted(table.name)} as source
    cross join lateral (select ${columns.join(', ')}) as shown`;
}

/** The rows of a table in pieces, each a text of lines joined by commas. Only inside a transaction. */
export async function* readPieces(
  tx: Queryable,
  table: ModelTable,
  blank: readonly string[],
): AsyncGenerator<{ text: string; rows: number }> {
  await tx.run(`declare transfer_rows no scroll cursor for
    select json_build_array(count(*), string_agg(line, E',\\n' order by place))::text
    from (${selectSql(table, blank)}) as lines
    group by (place - 1) / ${PIECE_ROWS} order by (place - 1) / ${PIECE_ROWS}`);
  for (;;) {
    const piece = await tx.text('fetch next from transfer_rows');
    if (piece === null) break;
    // Made by the statement above.
    const [rows, text] = JSON.parse(piece) as [number, string];
    yield { rows, text };
  }
  await tx.run('close transfer_rows');
}

/** How many rows have a value in each of these columns; columns without any are left out. */
export async function countSecrets(
  tx: Queryable,
  table: ModelTable,
  columns: readonly string[],
): Promise<{ column: string; rows: number }[]> {
  const counts: { column: string; rows: number }[] = [];
  const known = columns.filter((name) => table.columns.some((column) => column.name === name));
  for (const name of known) {
    const count = await tx.text(
      `select count(*)::text from ${quoted(table.name)} where ${quotedList([name])} is not null`,
    );
    if (count !== '0') counts.push({ column: `${table.name}.${name}`, rows: Number(count) });
  }
  return counts;
}
