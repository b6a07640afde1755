/** How statements and parameters are written for both engines, so that they answer byte for byte alike. */
import type { SqlValue } from './database.ts';
import { NOT_IN_TEXT, toJson } from './to-json.ts';

/** Statements that run longer are ended; one slow query must not hold the only PGlite connection. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** The same for what requests ask for, who may ask for anything. */
export const CALLER_TIMEOUT_MS = 2000;
/** Of one caller; more are queued. */
export const CALLER_PLACES = 2;
/** Of one caller; more are refused. A page of the app asks for some twenty things at once. */
export const CALLER_QUEUE = 200;
/** Migrations may rewrite large tables. */
export const SCRIPT_TIMEOUT_MS = 600_000;

function arrayElement(value: SqlValue): string {
  if (Array.isArray(value)) return arrayLiteral(value);
  const text = encodeParameter(value);
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function arrayLiteral(values: readonly SqlValue[]): string {
  return `{${values.map(arrayElement).join(',')}}`;
}

/**
 * A parameter as the text that PostgreSQL's input functions read; null stays null. No text of the database holds a NUL
 * or half of a character: there is the replacement character (U+FFFD) for each, as an error that a service answered has
 * to be noted whatever it says.
 */
export function encodeParameter(value: SqlValue): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value.replaceAll(NOT_IN_TEXT, '\ufffd');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  return toJson(value);
}

/** The statement wrapped so that all its rows come back as one JSON text. */
export function asJsonRows(sql: string): string {
  const statement = sql.trim().replace(/;$/, '');
  return `with holdfast_rows as (${statement}\n) select coalesce(json_agg(holdfast_rows), '[]')::text from holdfast_rows`;
}
