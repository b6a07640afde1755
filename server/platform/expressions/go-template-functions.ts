/** Functions of Go templates. The piped value comes last, as in Go. */
import { randomInt } from 'node:crypto';
import { humanDuration, humanSize, prettyJson, textOf, toJson } from './humanize.ts';

export type TemplateFunction = (...values: unknown[]) => unknown;

/** Go's truth: nothing, zero and empty are false. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function indexInto(value: unknown, ...keys: unknown[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, String(key))) return null;
    at = Reflect.get(at, String(key));
  }
  return at;
}

const isEqual = (a: unknown, b: unknown) => (typeof a === 'object' ? toJson(a) === toJson(b) : a === b);
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return Number(a) - Number(b);
}

const VERB = /%([-+ 0]*)([1-9]\d*)?(?:\.(\d+))?([svdfgqtxX%])/g;

function printf(pattern: unknown, ...values: unknown[]): string {
  const text = textOf(pattern);
  let out = '';
  let at = 0;
  let next = 0;
  for (const match of text.matchAll(VERB)) {
    out += text.slice(at, match.index);
    at = match.index + match[0].length;
    const [, flags = '', width, precision, verb = 's'] = match;
    if (verb === '%') {
      out += '%';
      continue;
    }
    const value = formatVerb(verb, values[next++], precision === undefined ? null : Number(precision));
    const size = Math.min(Number(width ?? 0), 1000);
    out += flags.includes('-') ? value.padEnd(size) : value.padStart(size, flags.includes('0') ? '0' : ' ');
  }
  return out + text.slice(at);
}

function formatVerb(verb: string, value: unknown, precision: number | null): string {
  switch (verb) {
    case 'd':
      return String(Math.trunc(Number(value)));
    case 'f':
      return Number(value).toFixed(Math.min(precision ?? 6, 50));
    case 'q':
      return JSON.stringify(textOf(value));
    case 'x':
    case 'X': {
      const hex = Number(value).toString(16);
      return verb === 'X' ? hex.toUpperCase() : hex;
    }
    default:
      return textOf(value);
  }
}

const text =
  (change: (value: string) => string): TemplateFunction =>
  (value) =>
    change(textOf(value));

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MAX_RANDOM = 100;

/** For names that nothing else may have. */
const randomOf =
  (signs: string): TemplateFunction =>
  (length) =>
    Array.from(
      { length: Math.min(Number(length) || 0, MAX_RANDOM) },
      () => signs[randomInt(signs.length)],
    ).join('');

/** By name; a Map, so that no name reaches into Object.prototype. */
export const TEMPLATE_FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries<TemplateFunction>({
    and: (...values) => values.find((value) => !isTruthy(value)) ?? values.at(-1),
    or: (...values) => values.find(isTruthy) ?? values.at(-1),
    not: (value) => !isTruthy(value),
    eq: (first, ...rest) => rest.some((value) => isEqual(first, value)),
    ne: (a, b) => !isEqual(a, b),
    lt: (a, b) => compare(a, b) < 0,
    le: (a, b) => compare(a, b) <= 0,
    gt: (a, b) => compare(a, b) > 0,
    ge: (a, b) => compare(a, b) >= 0,
    len: sizeOf,
    index: indexInto,
    slice: (value, from, to) =>
      Array.isArray(value) || typeof value === 'string'
        ? value.slice(Number(from ?? 0), to === undefined ? undefined : Number(to))
        : value,
    print: (...values) => values.map(textOf).join(''),
    println: (...values) => `${values.map(textOf).join(' ')}\n`,
    printf,
    default: (fallback, value) => (isTruthy(value) ? value : fallback),
    join: (list, separator) =>
      Array.isArray(list) ? list.map(textOf).join(textOf(separator)) : textOf(list),
    toJSON: toJson,
    toJSONPretty: prettyJson,
    toJson,
    urlquery: text(encodeURIComponent),
    humanizeBytes: (value) => humanSize(Number(value)),
    humanizeDuration: (value) => humanDuration(Number(value)),
    'conv.ToInt': (value) => Math.trunc(Number(value)),
    'conv.ToString': textOf,
    'conv.ToFloat64': Number,
    'strings.ToLower': text((value) => value.toLowerCase()),
    'strings.ToUpper': text((value) => value.toUpperCase()),
    'strings.TrimSpace': text((value) => value.trim()),
    'strings.Contains': (part, whole) => textOf(whole).includes(textOf(part)),
    'strings.HasPrefix': (part, whole) => textOf(whole).startsWith(textOf(part)),
    'strings.ReplaceAll': (from, to, whole) => textOf(whole).replaceAll(textOf(from), () => textOf(to)),
    'random.Alpha': randomOf(LETTERS),
    'random.AlphaNum': randomOf(`${LETTERS}0123456789`),
    'strings.Split': (separator, whole) => textOf(whole).split(textOf(separator)),
  }),
);
