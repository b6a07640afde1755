/**
 * Values from outside as JSON that the database takes. It refuses JSON with a NUL or half of a character in it, and with
 * it the whole statement, in which there is more than what somebody's service answered.
 */

/** What no text of the database holds: NUL, and half of a character. */
export const NOT_IN_TEXT = /[\0\uD800-\uDFFF]/gu;

/** Of a text by JSON.stringify: whole characters are never escaped by it. A backslash that was in the text is two. */
const ESCAPES = /\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g;
const REPLACEMENT = String.raw`\ufffd`;

/** As JSON.stringify, but for each NUL and half of a character there is the replacement character (U+FFFD). */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!text.includes(String.raw`\u`)) return text;
  return text.replaceAll(ESCAPES, (found) => (found === String.raw`\\` ? found : REPLACEMENT));
}
