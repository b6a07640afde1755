/** Bodies with a character that no text of the database holds: whoever sent them is told, and nothing of it is stored. */
import { AppError } from '../../../src/contract/errors.ts';
import { toJson } from '../db/to-json.ts';

const MESSAGE = 'The request has a character that text cannot hold';

/** What is said of a NUL or half of a character, wherever it stood. */
export const unstorable = (cause?: unknown): AppError => new AppError('invalid', MESSAGE, { cause });

/** Most bodies have none of these escapes; halves that are whole characters together are found out by the value. */
const ESCAPES = /\\u(?:0000|d[89a-f])/i;

/** The refusal of such a body, else null; `value` is what `json` says. */
export function unstorableRefusal(json: string, value: unknown): AppError | null {
  // A half that is no escape is one that was sent as bytes, and is replaced as these are read.
  if (!ESCAPES.test(json)) return null;
  return toJson(value) === JSON.stringify(value) ? null : unstorable();
}
