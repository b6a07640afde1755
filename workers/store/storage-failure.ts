/** Tells failures of the local database from all others (design §4 law 14). */
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';

/** Names under which browsers and Dexie report a database that is gone, closed, newer, locked or damaged. */
const BROKEN = new Set([
  'DatabaseClosedError',
  'OpenFailedError',
  'MissingAPIError',
  'InvalidStateError',
  'NotFoundError',
  'VersionError',
  'UnknownError',
  'DataError',
  'ReadOnlyError',
  'TransactionInactiveError',
  'DataCloneError',
]);
/** Deep enough for Dexie around RxDB around the browser. */
const DEPTH = 5;

function namesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > DEPTH) return [];
  const inner = 'inner' in error ? error.inner : undefined;
  return [error.name, ...namesOf(inner, depth + 1), ...namesOf(error.cause, depth + 1)];
}

/** The failure as `quota` or `storage`; null when it is about something else. Our own errors pass as they are. */
export function storageFailureOf(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  const names = namesOf(error);
  // A write over quota often surfaces as an aborted transaction around the browser's error.
  if (names.includes('QuotaExceededError')) return new AppError('quota', ERROR_TEXTS.quota, { cause: error });
  // What was kept doesn't parse any more.
  const isBroken = names.some((name) => BROKEN.has(name) || name === 'SyntaxError');
  return isBroken ? new AppError('storage', ERROR_TEXTS.storage, { cause: error }) : null;
}
