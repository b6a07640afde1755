/**
 * Copies every row of one database of ours into another one with the same tables, of either kind: as PostgreSQL's own
 * texts of whole rows, which read back the same. Nothing is left out, neither sessions nor the change log nor the ledger
 * of commands, so devices notice nothing. No trigger runs meanwhile.
 */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from './database.ts';
import { toJson } from './to-json.ts';

const tableRow = z.strictObject({ name: z.string(), columns: z.array(z.string()), blocks: z.number() });
type Table = z.infer<typeof tableRow>;

const sequenceRow = z.strictObject({ name: z.string(), value: z.string() });

/** `schema_migrations` is the same already. */
const TABLES = `
select class.relname as name,
  (select json_agg(a.attname order by a.attnum) from pg_attribute a
    where a.attrelid = class.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  pg_relation_size(class.oid) / current_setting('block_size')::int as blocks
from pg_class class
where class.relnamespace = 'public'::regnamespace and class.relkind = 'r' and class.relname <> 'schema_migrations'
order by class.relname collate "C"`;

/** Pages of a table at a time: a message of some megabytes, also where rows have large values beside the page. */
const PIECE_BLOCKS = 16;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const lines = z.array(z.string()).nullable();

/** The rows of some pages as texts. */
async function readPiece(from: Queryable, table: Table, block: number): Promise<string[]> {
  const text = await from.text(
    `select json_agg(moved_row::text)::text from ${quoted(table.name)} as moved_row
     where ctid >= $1::tid and ctid < $2::tid`,
    [`(${block},0)`, `(${block + PIECE_BLOCKS},0)`],
  );
  return lines.parse(JSON.parse(text ?? 'null')) ?? [];
}

async function writePiece(to: Queryable, table: Table, rows: readonly string[]): Promise<number> {
  const columns = table.columns.map(quoted).join(', ');
  return to.run(
    `insert into ${quoted(table.name)} (${columns}) overriding system value
     select ${columns} from unnest($1::${quoted(table.name)}[])`,
    [rows],
  );
}

async function copyTable(from: Queryable, to: Queryable, table: Table): Promise<number> {
  let copied = 0;
  for (let block = 0; block < table.blocks; block += PIECE_BLOCKS) {
    const rows = await readPiece(from, table, block);
    if (rows.length > 0) copied += await writePiece(to, table, rows);
  }
  const there = Number(await from.text(`select count(*)::text from ${quoted(table.name)}`));
  if (copied !== there) throw new AppError('server', `${table.name}: ${copied} of ${there} rows were copied`);
  return copied;
}

async function copySequences(from: Queryable, to: Queryable): Promise<void> {
  const sequences = await from.rows(
    sequenceRow,
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  );
  for (const { name, value } of sequences)
    await to.text('select setval($1::regclass, $2::bigint)::text', [quoted(name), value]);
}

function assertSameTables(from: readonly Table[], to: readonly Table[]): void {
  const shape = (tables: readonly Table[]) => toJson(tables.map(({ name, columns }) => [name, columns]));
  if (shape(from) !== shape(to)) throw new AppError('server', 'the two databases have different tables');
}

/** Makes the target, inside a transaction of its own, hold what the source holds and nothing else; answers the rows. */
export async function copyTables(from: Queryable, to: Queryable): Promise<number> {
  const tables = await from.rows(tableRow, TABLES);
  assertSameTables(tables, await to.rows(tableRow, TABLES));
  // Neither triggers nor references: the rows are those of a database that keeps its rules.
  await to.run('set local session_replication_role = replica');
  await to.run(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
  let copied = 0;
  for (const table of tables) copied += await copyTable(from, to, table);
  await copySequences(from, to);
  return copied;
}
