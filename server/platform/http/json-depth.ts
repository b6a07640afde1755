/**
 * How deep a body may be nested. Documents of people have some twenty levels; parsers that call themselves for each
 * level run out of stack at some thousands, and the embedded database does not come back from that.
 */
import { AppError } from '../../../src/contract/errors.ts';

const MAX_DEPTH = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The place behind the text that begins at `start`. */
function afterText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The refusal of JSON that is nested deeper than any document is, else null; knows nothing else of it. */
export function deepJsonRefusal(json: string): AppError | null {
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    if (depth > MAX_DEPTH) {
      return new AppError('invalid', `The body is nested too deep: allowed are ${MAX_DEPTH} levels`);
    }
    at = code === QUOTE ? afterText(json, at) : at + 1;
  }
  return null;
}
