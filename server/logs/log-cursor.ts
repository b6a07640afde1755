/** Where a further page begins: its newest moment, and how many lines of that moment each backend gave already. */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';

const cursorSchema = z.object({
  endMs: z.int(),
  /** By the backend's id. */
  given: z.record(z.string(), z.int().min(0)),
});
export type LogCursor = z.output<typeof cursorSchema>;

/** As a request brings it back. */
export function writeCursor(cursor: LogCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Throws `invalid` for a text that this server did not write. */
export function readCursor(text: string): LogCursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch (error) {
    throw new AppError('invalid', 'cursor: is none that this server gave', { cause: error });
  }
}
