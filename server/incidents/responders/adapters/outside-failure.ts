/** Why an outside system did not do what it was asked. */
import { AppError } from '../../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../../src/contract/errors.ts';

/** `retryable`: the same may work later. Otherwise somebody has to change something first. */
export class OutsideFailure extends AppError {
  /** When the system wants to be asked again; null when it doesn't say. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryable: boolean; retryAfterMs?: number | null },
  ) {
    super(code, message, { cause: options.cause, retryable: options.retryable });
    this.name = 'OutsideFailure';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** A specification or a form that can't be used as it is. */
export function unusable(message: string): OutsideFailure {
  return new OutsideFailure('invalid', message, { retryable: false });
}

/** Of these the guard and the network say whether the same call can work later. */
const LATER: ReadonlySet<ErrorCode> = new Set([
  'network',
  'timeout',
  'rate_limited',
  'server',
  'bad_payload',
]);

/** Any error as one; what isn't an AppError may quote a secret, so only its kind is told. */
export function asOutsideFailure(error: unknown): OutsideFailure {
  if (error instanceof OutsideFailure) return error;
  if (error instanceof AppError)
    return new OutsideFailure(error.code, error.message, { cause: error, retryable: LATER.has(error.code) });
  const kind = error instanceof Error ? error.name : 'unknown';
  return new OutsideFailure('unknown', `This did not work (${kind})`, { cause: error, retryable: true });
}
