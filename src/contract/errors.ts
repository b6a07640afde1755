/** The closed list of error codes that cross a boundary of ours (style 28). */
export const ERROR_CODES = [
  'network',
  'timeout',
  'unauthorized',
  'forbidden',
  'not_found',
  'invalid',
  'conflict',
  'rate_limited',
  'server',
  'bad_payload',
  'storage',
  'quota',
  'cancelled',
  'unknown',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What the user is told when nothing more is known (spec 1 §8). */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  network: 'Network Error. Please try again.',
  timeout: 'Request timed out. Please try again.',
  unauthorized: 'Please sign in again.',
  forbidden: 'You do not have permission to do this.',
  not_found: 'Not found',
  invalid: 'The request is not valid',
  conflict: 'The data changed meanwhile',
  rate_limited: 'Too many requests. Please wait a moment.',
  server: 'An error occurred',
  bad_payload: 'The server sent something unexpected',
  storage: 'This device could not store the data',
  quota: 'This device is out of storage space',
  cancelled: 'Cancelled',
  unknown: 'An error occurred',
};

/** Instead of the network's text, while the device itself says that it is offline (spec 1 §8). */
export const OFFLINE_TEXT = 'No internet connection. Please try again.';

/** An error with a code that callers act on; the message is for people, never matched on (style 28, 29). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** HTTP status where there was one. */
  readonly status: number | null;
  /** Path of what it is about in what was sent, such as `spec.http[0].url`. */
  readonly field: string | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; status?: number; field?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.status = options.status ?? null;
    this.field = options.field ?? null;
  }
}

/** An error as it travels between threads: a plain object. */
export interface ErrorFacts {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  status: number | null;
  /** The field that a refusal is about, where that is known. */
  field?: string | null;
}

/** Any thrown thing as plain facts. */
export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, retryable: error.retryable, status: error.status };
  }
  return {
    code: 'unknown',
    message: error instanceof Error ? error.message : String(error),
    retryable: false,
    status: null,
  };
}

/** What the user is told: the server's own `error` or `message`, else the code's text (spec 1 §8). */
export function errorText(error: Pick<ErrorFacts, 'code' | 'message'>): string {
  return error.message || ERROR_TEXTS[error.code];
}
