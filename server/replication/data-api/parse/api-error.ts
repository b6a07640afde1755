/** What the data API answers when it refuses: the contract's error JSON, never the text of a statement. */
import type { DatabaseError } from '../../../platform/db/database-error.ts';
import { unansweredStatus } from '../../../platform/http/unanswered-status.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

export interface ApiErrorBody {
  code: string;
  message: string;
  details: string | readonly object[] | null;
  hint: string | null;
}

/** `code` is an SQLSTATE or one of PostgREST's (`PGRST…`). */
export class DataApiError extends Error {
  readonly status: number;
  readonly body: ApiErrorBody;

  constructor(status: number, said: Partial<ApiErrorBody> & { code: string; message: string }) {
    super(said.message);
    this.name = 'DataApiError';
    this.status = status;
    this.body = {
      code: said.code,
      message: said.message,
      details: said.details ?? null,
      hint: said.hint ?? null,
    };
  }
}

/** The query does not parse. `position` counts from 0; what is there was not expected. */
export function parseError(what: string, text: string, position = 0): DataApiError {
  const found =
    position < text.length
      ? `unexpected ${JSON.stringify(text.charAt(position))}`
      : 'unexpected end of input';
  const expected = what === 'filter' ? ' expecting "not" or operator (eq, gt, ...)' : '';
  return new DataApiError(400, {
    code: 'PGRST100',
    message: `"failed to parse ${what} (${clip(text)})" (line 1, column ${position + 1})`,
    details: found + expected,
  });
}

/** 400, with PostgreSQL's own code for it. */
export function unknownColumn(relation: string, column: string): DataApiError {
  return new DataApiError(400, {
    code: '42703',
    message: `column ${relation}.${clip(column)} does not exist`,
  });
}

/** 404 with PostgREST's code, also for what exists and isn't offered. */
export function unknownRelation(schema: string, name: string): DataApiError {
  return new DataApiError(404, {
    code: 'PGRST205',
    message: `Could not find the table '${schema}.${clip(name)}' in the schema cache`,
  });
}

/** 416: the page begins behind the last row, or ends before it begins. */
export function rangeError(details: string): DataApiError {
  return new DataApiError(416, { code: 'PGRST103', message: 'Requested range not satisfiable', details });
}

/** What clients sent comes back shortened. */
export function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const STATUS_BY_STATE = lookupTable<number>({
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42501': 403,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  // A write to a view that is not made for it.
  '55000': 405,
  P0001: 400,
});
/** By class, the first two characters; all others are the client's fault. */
const STATUS_BY_CLASS = lookupTable<number>({
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  // Too complex: the query is.
  '54': 413,
  '55': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
});
const OWN_STATUS = /^PT([45]\d\d)$/;

/** The answer for a statement that the database refused. */
export function refusedByDatabase(error: DatabaseError): DataApiError {
  const { sqlState } = error;
  const chosen = OWN_STATUS.exec(sqlState)?.[1];
  const status =
    chosen === undefined
      ? (unansweredStatus(sqlState) ??
        STATUS_BY_STATE[sqlState] ??
        STATUS_BY_CLASS[sqlState.slice(0, 2)] ??
        400)
      : Number(chosen);
  // What went wrong on our side is for the log.
  if (status >= 500 && chosen === undefined)
    return new DataApiError(status, { code: sqlState, message: 'The database could not answer' });
  return new DataApiError(status, {
    code: sqlState,
    message: error.message,
    details: error.detail,
    hint: error.hint,
  });
}
