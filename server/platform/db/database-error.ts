/** What the database said when it refused a statement, alike for both engines. */
import { AppError } from '../../../src/contract/errors.ts';

/** The fields of a PostgreSQL error that callers act on. */
export interface DatabaseErrorFacts {
  sqlState: string;
  message: string;
  detail: string | null;
  hint: string | null;
  constraint: string | null;
  table: string | null;
  column: string | null;
}

/** Query took longer than its limit, or was cancelled. */
export const QUERY_CANCELED = '57014';
export const UNIQUE_VIOLATION = '23505';
const CONNECTION_LOST = '08006';
const RETRYABLE: ReadonlySet<string> = new Set([
  '40001',
  '40P01',
  '53300',
  '57P01',
  '57P03',
  CONNECTION_LOST,
]);

/** Thrown by every method of the database port; act on `sqlState`, never on the message. */
export class DatabaseError extends AppError {
  /** Five characters, see the appendix "PostgreSQL Error Codes". */
  readonly sqlState: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  readonly table: string | null;
  readonly column: string | null;

  constructor(facts: DatabaseErrorFacts, cause?: unknown) {
    super(facts.sqlState === UNIQUE_VIOLATION ? 'conflict' : 'server', facts.message, {
      cause,
      retryable: RETRYABLE.has(facts.sqlState),
    });
    this.name = 'DatabaseError';
    this.sqlState = facts.sqlState;
    this.detail = facts.detail;
    this.hint = facts.hint;
    this.constraint = facts.constraint;
    this.table = facts.table;
    this.column = facts.column;
  }
}

function field(error: object, name: string): string | null {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Every one has a digit; a system's own code may not, such as EPIPE. */
const SQLSTATE = /^(?=.*[0-9])[0-9A-Z]{5}$/;

/** The facts of an error thrown by a driver; one without an SQLSTATE counts as a lost connection. */
export function databaseErrorFacts(error: unknown): DatabaseErrorFacts {
  const thrown: object = typeof error === 'object' && error !== null ? error : {};
  const code = field(thrown, 'code');
  return {
    sqlState: code !== null && SQLSTATE.test(code) ? code : CONNECTION_LOST,
    message: field(thrown, 'message') ?? String(error),
    detail: field(thrown, 'detail'),
    hint: field(thrown, 'hint'),
    constraint: field(thrown, 'constraint'),
    table: field(thrown, 'table'),
    column: field(thrown, 'column'),
  };
}

/** The error for a statement that outran its time limit. */
export function timeoutFacts(limitMs: number): DatabaseErrorFacts {
  return {
    sqlState: QUERY_CANCELED,
    message: `canceling statement due to statement timeout (${limitMs} ms)`,
    detail: null,
    hint: null,
    constraint: null,
    table: null,
    column: null,
  };
}
