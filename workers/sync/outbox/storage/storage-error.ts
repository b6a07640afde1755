/** Failures of the local database as errors that callers act on. */
import { AppError, ERROR_TEXTS } from '../../../../src/contract/errors.ts';

function namesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  // Dexie wraps what the browser threw as `inner`; a write over quota often surfaces as an aborted transaction.
  const inner = 'inner' in error ? error.inner : undefined;
  return [error.name, ...namesOf(inner, depth + 1), ...namesOf(error.cause, depth + 1)];
}

/** `quota` when the device is full, else `storage`; our own errors pass. */
export function storageError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = namesOf(error).includes('QuotaExceededError') ? 'quota' : 'storage';
  return new AppError(code, ERROR_TEXTS[code], { cause: error });
}

/** Another worker has become the sender since: whatever this one was about to do, it no longer may. */
export class FencedError extends AppError {
  constructor() {
    super('cancelled', ERROR_TEXTS.cancelled);
    this.name = 'FencedError';
  }
}
