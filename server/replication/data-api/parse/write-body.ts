/** Checks what a client wants written against the table, before SQL is made of it. */
import { isRecord } from '../../../../src/lib/is-record.ts';
import { DataApiError, clip } from './api-error.ts';
import type { Relation } from '../catalogue/catalogue.ts';

export interface WriteBody {
  /** JSON text: an array for inserts, one object for updates. */
  json: string;
  columns: readonly string[];
  rowCount: number;
}

function invalidBody(message: string): DataApiError {
  return new DataApiError(400, { code: 'PGRST102', message });
}

/** The body as JSON; there must be one. */
export function parseJsonBody(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidBody('Empty or invalid json');
    throw error;
  }
}

function checkColumns(relation: Relation, names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !relation.columns.has(name));
  if (unknown === undefined) return names;
  throw new DataApiError(400, {
    code: 'PGRST204',
    message: `Could not find the '${clip(unknown)}' column of '${relation.name}' in the schema cache`,
  });
}

/** Rows to insert; `columns` of the query names the ones to take, else all rows must have the same. */
export function insertBody(
  relation: Relation,
  body: string | undefined,
  columns: readonly string[] | null,
): WriteBody {
  const parsed = parseJsonBody(body);
  const rows = Array.isArray(parsed) ? parsed : [parsed];
  if (!rows.every(isRecord)) throw invalidBody('The body must be an object or an array of objects');
  const [first = {}] = rows;
  const names = columns ?? Object.keys(first);
  const isEven = rows.every(
    (row) => Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name)),
  );
  if (columns === null && !isEven) throw invalidBody('All object keys must match');
  // The text as sent, so that long numbers keep their digits.
  const json = Array.isArray(parsed) ? (body ?? '[]') : `[${body ?? '{}'}]`;
  return { json, columns: checkColumns(relation, names), rowCount: rows.length };
}

/** Values to set in an update. */
export function updateBody(
  relation: Relation,
  body: string | undefined,
  columns: readonly string[] | null,
): WriteBody {
  const parsed = parseJsonBody(body);
  const values = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (!isRecord(values)) throw invalidBody('The body must be an object');
  const names = columns ?? Object.keys(values);
  const json = values === parsed ? (body ?? '{}') : JSON.stringify(values);
  return { json, columns: checkColumns(relation, names), rowCount: 1 };
}
