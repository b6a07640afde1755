/** Reads a text from left to right; what the small grammars of the data API share. */
import { parseError } from './api-error.ts';
import type { DataApiError } from './api-error.ts';

export interface TextReader {
  isAtEnd(): boolean;
  /** The rest of the text, unread. */
  rest(): string;
  skipSpaces(): void;
  /** Reads the given text if it comes next. */
  take(expected: string): boolean;
  expect(expected: string): void;
  /** Reads `count` characters. */
  skip(count: number): string;
  /** Reads up to, not including, the first of the given characters. */
  until(stops: string): string;
  /** Reads a quoted text with backslash escapes; null when no quote comes next. */
  takeQuoted(): string | null;
  fail(): DataApiError;
}

/** A reader of `text`; `what` names it in errors. */
export function readText(text: string, what: string): TextReader {
  let position = 0;
  const fail = () => parseError(what, text, position);
  const take = (expected: string) => {
    if (!text.startsWith(expected, position)) return false;
    position += expected.length;
    return true;
  };
  return {
    isAtEnd: () => position >= text.length,
    rest: () => text.slice(position),
    skipSpaces() {
      while (text.charAt(position) === ' ') position += 1;
    },
    take,
    expect(expected) {
      if (!take(expected)) throw fail();
    },
    skip(count) {
      const start = position;
      position = Math.min(text.length, position + count);
      return text.slice(start, position);
    },
    until(stops) {
      const start = position;
      while (position < text.length && !stops.includes(text.charAt(position))) position += 1;
      return text.slice(start, position);
    },
    takeQuoted() {
      if (text.charAt(position) !== '"') return null;
      let value = '';
      for (position += 1; position < text.length; position += 1) {
        const character = text.charAt(position);
        if (character === '"') {
          position += 1;
          return value;
        }
        if (character === '\\') position += 1;
        value += text.charAt(position);
      }
      throw fail();
    },
    fail,
  };
}
