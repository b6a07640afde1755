/**
 * Where a further page begins: its newest moment, how many lines of that moment each backend gave already, and where a
 * backend that reads from an end goes on.
 */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { placesSchema } from './backends/file-places.ts';

const cursorSchema = z.object({
  endMs: z.int(),
  /** By the backend's id. */
  given: z.record(z.string(), z.int().min(0)),
  /** By the backend's id. */
  places: z.record(z.string(), placesSchema).optional(),
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
