/**
 * What is wrong with a YAML text, and where: what doesn't parse first, else what its JSON schema refuses. It knows
 * no editor. The schema is read by zod, which needs no code made from texts (the page's policy forbids that).
 */
import { isMap, isNode, isScalar, type Document } from 'yaml';
import { z } from 'zod';
import { missingFields, type AskedFields } from '../../lib/asked-fields.ts';
import { recordOf } from '../../lib/is-record.ts';
import { yamlDocument, yamlValue } from '../../lib/read-yaml.ts';
import { unknownKeys } from '../../lib/unknown-keys.ts';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';

export interface YamlProblem {
  /** Places in the text. */
  from: number;
  to: number;
  message: string;
}

/** Longer texts are parsed when they are saved, not on every pause of typing. */
const MAX_LINTED_CHARS = 200_000;
const MAX_PROBLEMS = 50;

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** What our schemas say beside JSON schema: of these fields one has to be there, or no more than one. */
const needsSchema = z.object({ needs: z.object({ of: z.array(z.string()), isOnlyOne: z.boolean() }) });

function withNeeds(validator: z.ZodType, schema: object): z.ZodType {
  const read = needsSchema.safeParse(schema);
  if (!read.success) return validator;
  const { of: keys, isOnlyOne } = read.data.needs;
  return validator.superRefine((value, context) => {
    const there = keys.filter((key) => !isNothing(recordOf(value)[key]));
    const [, second] = there;
    if (there.length === 0) context.addIssue({ code: 'custom', message: messages.needsOne(keys) });
    if (isOnlyOne && second !== undefined)
      context.addIssue({ code: 'custom', message: messages.onlyOne(there), path: [second] });
  });
}

/** Of entries of these kinds these fields have to be there. */
const asksSchema = z.object({
  asks: z.object({ of: z.record(z.string(), z.array(z.string())), unless: z.string().optional() }),
});

/** What a schema asks for beyond its validator, which says nothing more of an entry once a field of it is wrong. */
const asked = new WeakMap<z.ZodType, AskedFields>();

function keepAsks(validator: z.ZodType, schema: object): z.ZodType {
  const read = asksSchema.safeParse(schema);
  if (read.success) asked.set(validator, read.data.asks);
  return validator;
}

const isNothing = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/** A validator of a JSON schema; null where there is none, or none that can be read. */
export function schemaOf(schema: unknown): z.ZodType | null {
  if (typeof schema !== 'object' || schema === null) return null;
  try {
    return keepAsks(withNeeds(z.fromJSONSchema(schema as JsonSchema), schema), schema);
  } catch {
    // A schema beyond what is understood here refuses nothing; the server decides anyway.
    return null;
  }
}

/** The place of a path: of the deepest part of it that is there. */
function placeOf(document: Document, path: readonly PropertyKey[]): { from: number; to: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range !== undefined && node.range !== null)
      return { from: node.range[0], to: Math.max(node.range[1], node.range[0] + 1) };
  }
  return { from: 0, to: 1 };
}

/** The place of a key, not of what stands under it. */
function placeOfKey(document: Document, path: readonly PropertyKey[]): { from: number; to: number } {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    : undefined;
  const range = isScalar(pair?.key) ? pair.key.range : undefined;
  return range === undefined || range === null ? placeOf(document, path) : { from: range[0], to: range[1] };
}

/** What a schema refuses of a value, by where it stands. */
interface ValueProblem {
  path: PropertyKey[];
  message: string;
  /** It is about the name of the field and not about what stands under it. */
  isKey: boolean;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, part) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, part)
        ? Reflect.get(found, part)
        : undefined,
    value,
  );
}

const NUMBERS = new Set(['number', 'int']);

/** What is wrong with a value that is there, in words (spec 2 §5). */
function wordsOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_format') return messages.wrongForm;
  const isNoNumber =
    issue.code === 'invalid_type' && NUMBERS.has(issue.expected) && typeof value !== 'number';
  return isNoNumber ? messages.isNumber : issue.message;
}

function refusals(schema: z.ZodType, value: unknown): ValueProblem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const unknown = unknownKeys(schema, value).map(({ path, meant }) => ({
    path,
    message: messages.unknownKey(meant),
    isKey: true,
  }));
  const wrong = issues.flatMap((issue) => {
    const { path, code } = issue;
    if (code === 'unrecognized_keys') return [];
    const isMissing = path.length > 0 && at(value, path) === undefined;
    const message = isMissing ? shared.isRequired : wordsOf(issue, at(value, path));
    return [{ path: [...path], message, isKey: false }];
  });
  const asks = asked.get(schema);
  const empty = asks === undefined ? [] : missingFields(asks, value);
  const missing = empty.map((path) => ({ path, message: shared.isRequired, isKey: false }));
  return [...unknown, ...wrong, ...missing].slice(0, MAX_PROBLEMS);
}

/** Positions are in characters; none for an empty text or one too long to be checked while typing. */
export function lintYaml(text: string, schema: z.ZodType | null): YamlProblem[] {
  if (text.length > MAX_LINTED_CHARS || text.trim() === '') return [];
  const document = yamlDocument(text, { prettyErrors: false });
  const broken = document.errors.map(({ pos: [from, to], message }) => ({ from, to, message }));
  if (broken.length > 0 || schema === null) return broken;
  return refusals(schema, yamlValue(document)).map(({ path, message, isKey }) => ({
    ...(isKey ? placeOfKey(document, path) : placeOf(document, path)),
    message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
  }));
}

/** What a schema refuses of a text, by path (`http.0.url`); the first for each. For forms, which have no lines. */
export function problemsByPath(text: string, schema: z.ZodType | null): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  if (schema === null || text.length > MAX_LINTED_CHARS) return problems;
  const parsed = parseYamlObject(text);
  if (!parsed.ok) return problems;
  for (const { path, message } of refusals(schema, parsed.value)) {
    const key = path.join('.');
    if (!problems.has(key)) problems.set(key, message);
  }
  return problems;
}

/** A text as any YAML value; an empty one is no value. */
export function parseYamlValue(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  const document = yamlDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, message: error.message.split('\n')[0] ?? error.message };
  const value = yamlValue(document);
  return { ok: true, value: value ?? undefined };
}

/** A text as a YAML object: what it says, or why it says nothing. An empty text is an empty object. */
export function parseYamlObject(
  text: string,
): { ok: true; value: Record<string, unknown> } | { ok: false; message: string } {
  const document = yamlDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, message: error.message.split('\n')[0] ?? error.message };
  const value = yamlValue(document);
  if (value === null || value === undefined) return { ok: true, value: {} };
  if (typeof value !== 'object' || Array.isArray(value))
    return { ok: false, message: 'This must be a YAML object: name: value, one a line' };
  return { ok: true, value: value as Record<string, unknown> };
}
