/**
 * The lines of a watch as events (Kubernetes API, "Efficient detection of changes"): a JSON object a line, in parts of
 * any size. Bounded: a line that never ends is given up.
 */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';

/** Stored objects are at most some megabytes; this leaves room for how they are written. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

const eventSchema = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.record(z.string(), z.unknown()),
});
export type WatchEvent = z.output<typeof eventSchema>;

function eventOf(line: Buffer): WatchEvent | null {
  const text = line.toString('utf8').trim();
  if (text === '') return null;
  try {
    return eventSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('bad_payload', 'the watch answered a line that is no event', { cause: error });
  }
}

/** Takes parts of a body; answers the events that are whole by then. Throws for what is no watch. */
export function createEventReader(maxLineBytes: number = MAX_LINE_BYTES): (part: Buffer) => WatchEvent[] {
  let open: Buffer[] = [];
  let size = 0;
  return (part) => {
    const events: WatchEvent[] = [];
    let from = 0;
    for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, from)) {
      const event = eventOf(Buffer.concat([...open, part.subarray(from, at)]));
      if (event !== null) events.push(event);
      open = [];
      size = 0;
      from = at + 1;
    }
    const rest = part.subarray(from);
    size += rest.length;
    if (size > maxLineBytes)
      throw new AppError('bad_payload', `the watch answered a line of more than ${maxLineBytes} bytes`);
    if (rest.length > 0) open.push(rest);
    return events;
  };
}
