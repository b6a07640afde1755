/** The parts that questions of the UI are made of, parsed by hand (see parse-question.ts). */
import { isRecord } from '../../src/lib/is-record.ts';
import { AppError } from '../../src/contract/errors.ts';
import type * as Contract from '../../src/contract/worker.ts';
import type { RowWindow } from '../../src/contract/worker.ts';

/** The type makes the compiler compare it with the contract's. */
const MAX_WINDOW_ROWS: typeof Contract.MAX_WINDOW_ROWS = 100;

/** Names the part that is not as it should be. */
export function refuse(field: string): never {
  throw new AppError('invalid', `The question's ${field} is not valid`);
}

export function text(value: unknown, field: string): string {
  return typeof value === 'string' ? value : refuse(field);
}

export function flag(value: unknown, field: string): boolean {
  return typeof value === 'boolean' ? value : refuse(field);
}

function index(value: unknown, field: string): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : refuse(field);
}

/** A window; one that is too large is cut at its end. */
export function parseWindow(value: unknown): RowWindow {
  if (!isRecord(value)) return refuse('window');
  const start = index(value.start, 'start');
  return { start, end: Math.min(index(value.end, 'end'), start + MAX_WINDOW_ROWS) };
}
