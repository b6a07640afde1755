/**
 * Values of a browser's database as text, and back: what JSON has, and dates, bytes, maps, sets, big numbers, numbers
 * that are none, and what is not there. Throws on anything else, such as a key or a file: nothing is left out silently.
 */
const TAG = '$';

function bytesToText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
const textToBytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

function encodeObject(value: object): unknown {
  if (value instanceof Date) return { [TAG]: 'date', of: value.getTime() };
  if (value instanceof Uint8Array) return { [TAG]: 'bytes', of: bytesToText(value) };
  if (value instanceof ArrayBuffer) return { [TAG]: 'buffer', of: bytesToText(new Uint8Array(value)) };
  if (value instanceof Map) return { [TAG]: 'map', of: encode([...value]) };
  if (value instanceof Set) return { [TAG]: 'set', of: encode([...value]) };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('a value that has no text');
  const entries = Object.entries(value).map(([key, entry]) => [key, encode(entry)] as const);
  return TAG in value ? { [TAG]: 'object', of: entries } : Object.fromEntries(entries);
}

/** JSON of the same value. */
function encode(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === undefined) return { [TAG]: 'undefined' };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { [TAG]: 'number', of: value === 0 ? '-0' : `${value}` };
  if (typeof value === 'bigint') return { [TAG]: 'bigint', of: `${value}` };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value === 'object') return encodeObject(value);
  throw new TypeError(`a ${typeof value} has no text`);
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const pairsOf = (of: unknown): [string, unknown][] =>
  isList(of) ? of.flatMap((pair) => (isList(pair) ? [[String(pair[0]), decode(pair[1])]] : [])) : [];

function decodeTagged(tag: unknown, of: unknown): unknown {
  // Of an object that is anything else its own `toString` would be called.
  const text = typeof of === 'string' ? of : '';
  const list = isList(of) ? of.map(decode) : [];
  switch (tag) {
    case 'date':
      return new Date(Number(of));
    case 'bytes':
      return textToBytes(text);
    case 'buffer':
      return textToBytes(text).buffer;
    case 'map':
      return new Map(list.filter(isList).map(([key, value]) => [key, value]));
    case 'set':
      return new Set(list);
    case 'number':
      return Number(text);
    case 'bigint':
      return BigInt(text);
    case 'object':
      return Object.fromEntries(pairsOf(of));
    case 'undefined':
      return undefined;
    default:
      throw new TypeError('not a text of values');
  }
}

function decode(value: unknown): unknown {
  if (isList(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  if (TAG in value) return decodeTagged(value[TAG], 'of' in value ? value.of : undefined);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, decode(entry)]));
}

/** See the head of this file. */
export const textOfValue = (value: unknown): string => JSON.stringify(encode(value));
/** The value of such a text. */
export const valueOfText = (text: string): unknown => decode(JSON.parse(text));
