/** What the data API answers when it refuses: the contract's error JSON, never the text of a statement. */
import type { DatabaseError } from '../db/database-error.ts';

export interface ApiErrorBody {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
}

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

/** The query string or the body does not parse. */
export function parseError(what: string, text: string): DataApiError {
  return new DataApiError(400, {
    code: 'PGRST100',
    message: `failed to parse ${what}`,
    details: `(${clip(text)})`,
  });
}

export function unknownColumn(relation: string, column: string): DataApiError {
  return new DataApiError(400, {
    code: '42703',
    message: `column ${relation}.${clip(column)} does not exist`,
  });
}

export function unknownRelation(name: string): DataApiError {
  return new DataApiError(404, { code: '42P01', message: `relation "public.${clip(name)}" does not exist` });
}

/** What clients sent comes back shortened. */
export function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const STATUS_BY_STATE: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '42501': 403,
  '42883': 400,
  '57014': 504,
  P0001: 400,
};
/** By class, the first two characters: bad data, broken rule, bad statement, too complex, unsupported. */
const STATUS_BY_CLASS: Readonly<Record<string, number>> = {
  '22': 400,
  '23': 400,
  '42': 400,
  '54': 400,
  '0A': 400,
  '08': 503,
  '53': 503,
  '57': 503,
};

/** The answer for a statement that the database refused. */
export function refusedByDatabase(error: DatabaseError): DataApiError {
  const status = STATUS_BY_STATE[error.sqlState] ?? STATUS_BY_CLASS[error.sqlState.slice(0, 2)] ?? 500;
  // What went wrong on our side is for the log.
  if (status >= 500)
    return new DataApiError(status, { code: error.sqlState, message: 'The database could not answer' });
  return new DataApiError(status, {
    code: error.sqlState,
    message: error.message,
    details: error.detail,
    hint: error.hint,
  });
}
