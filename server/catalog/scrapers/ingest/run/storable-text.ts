/**
 * Finds what the database or a browser could not take in a value that came from outside: what jsonb refuses, what
 * poisons objects, what an index has no room for, and shapes that are only made to hurt. Pure.
 */

const MAX_DEPTH = 100;
/** Comparing objects wider than this takes the square of it. */
const MAX_KEYS = 10_000;
const HALF_CHARACTER = /[\uD800-\uDFFF]/u;

interface Look {
  depth: number;
  /** Only then are texts looked at, and paths put together: most documents are innocent, and large. */
  isSuspicious: boolean;
}

function faultOfText(text: string): string | null {
  if (text.includes('\u0000')) return 'holds a NUL character';
  if (HALF_CHARACTER.test(text)) return 'holds half of a character (an unpaired surrogate)';
  return null;
}

function faultOfTime(time: Date, path: string): string | null {
  if (Number.isNaN(time.getTime())) return `${path} is not a time`;
  const year = time.getUTCFullYear();
  return year < 1 || year > 9999 ? `${path} is in the year ${year}; those from 1 to 9999 are possible` : null;
}

function faultOfObject(value: object, path: string, look: Look): string | null {
  const names = Object.keys(value);
  if (names.length > MAX_KEYS && !Array.isArray(value)) {
    return `${path} has ${names.length} keys; at most ${MAX_KEYS} are possible`;
  }
  const deeper = { ...look, depth: look.depth + 1 };
  for (const name of names) {
    if (name === '__proto__') return `${path} has a key __proto__, which is not allowed`;
    const keyFault = look.isSuspicious ? faultOfText(name) : null;
    if (keyFault !== null) return `a key of ${path} ${keyFault}`;
    const fault = faultOf(Reflect.get(value, name), look.isSuspicious ? `${path}.${name}` : path, deeper);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOf(value: unknown, path: string, look: Look): string | null {
  if (typeof value === 'string') {
    const fault = look.isSuspicious ? faultOfText(value) : null;
    return fault === null ? null : `${path} ${fault}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return `${path} is not a finite number`;
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    return `${path} is no JSON value`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Date) return faultOfTime(value, path);
  if (look.depth > MAX_DEPTH) return `${path.slice(0, 200)}… is nested deeper than ${MAX_DEPTH} levels`;
  return faultOfObject(value, path, look);
}

/** What can only be found by looking at each text shows in the whole: as escapes of JSON, or as it is. */
const SUSPICIOUS = /\\u0000|\\ud[89a-f]|__proto__/;

/** Why the value can't be stored, with the place in it; null when it can. `text` is the value as JSON. */
export function storageFault(
  value: unknown,
  name: string,
  text = JSON.stringify(value) ?? '',
): string | null {
  const isSuspicious = SUSPICIOUS.test(text);
  const fault = faultOf(value, name, { depth: 0, isSuspicious });
  // Once more for its place, which is put together only then.
  return fault === null || isSuspicious ? fault : faultOf(value, name, { depth: 0, isSuspicious: true });
}

/** Why a text that an index holds can't be stored; null when it can. An entry has room for 2,704 bytes in all. */
export function tooLong(field: string, text: string | null, limit: number): string | null {
  const size = text === null ? 0 : Buffer.byteLength(text, 'utf8');
  return size <= limit ? null : `${field} is ${size} bytes long; at most ${limit} are possible`;
}
