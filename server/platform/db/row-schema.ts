/**
 * What a statement answers is parsed, not claimed: each row must have the columns of its schema, no other, each of its
 * kind, and null only where the schema says so. A statement that no longer fits its schema fails at the first row,
 * with the statement and the column named. Reasons and figures: docs/decisions/0020.
 */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable, SqlValue } from './database.ts';
import { asJsonRows } from './sql-text.ts';

/** Enough of a statement to find it in its file. */
const SHOWN_SQL_CHARACTERS = 160;

/** A row of which only the id is read, and what asks whether there is one. */
export const idRow = z.strictObject({ id: z.string() });

/** `spec jsonb` and its like, where any object will do; whoever looks inside parses that. It is not copied. */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
);

/** `labels jsonb`: people and other systems write it, so what is no text becomes one, and what is no map is no labels. */
export const labelMap = z.record(z.string(), z.coerce.string()).nullable().catch(null);

/** A row of a name, as lists of things have it. */
export const nameRow = z.strictObject({ name: z.string() });

/** What was thrown away: 'id' (strictObject names no path for a column too many). */
function columnsOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.');
}

function mismatch(sql: string, issues: readonly z.core.$ZodIssue[]): AppError {
  const statement = sql.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_SQL_CHARACTERS);
  const columns = issues.map((issue) => `"${columnsOf(issue)}": ${issue.message}`);
  // The message names columns and kinds, no values: rows hold secrets.
  return new AppError('server', `The rows of "${statement}" don't fit their schema. ${columns.join('; ')}`);
}

/** The rows of a statement's JSON text; throws `server` for one that doesn't fit. */
function parseRows<Row>(schema: z.ZodType<Row>, sql: string, text: string | null): Row[] {
  const rows: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(rows)) throw new AppError('server', 'The database answered no list of rows');
  return rows.map((row: unknown) => {
    const parsed = schema.safeParse(row);
    if (!parsed.success) throw mismatch(sql, parsed.error.issues);
    return parsed.data;
  });
}

/** Sends a statement that answers one row of one text. */
type SendText = (sql: string, params: readonly SqlValue[]) => Promise<string | null>;

/** `rows` of a connection, alike for both engines. */
export function createRowReader(send: SendText): Queryable['rows'] {
  return async (row, sql, params = []) => parseRows(row, sql, await send(asJsonRows(sql), params));
}
