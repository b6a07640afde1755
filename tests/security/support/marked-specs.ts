/** For tests only: specifications of a schema, one for each place in it that takes a text, with a mark in that place. */
import { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;
/** Stands where the mark goes until a base is laid under it. */
const MARK = Symbol('mark');
const DEEPEST = 7;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a specification has to have anyway. */
function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return sample(first);
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(sample));
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, sample(asSchema(schema.properties?.[name]))]),
    );
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return 'x';
}

const asSchema = (schema: Schema | boolean | undefined): Schema => (isObject(schema) ? schema : {});

function* places(schema: Schema, depth: number): Generator<unknown> {
  if (depth > DEEPEST || schema.enum !== undefined || schema.const !== undefined) return;
  for (const one of schema.anyOf ?? []) yield* places(one, depth + 1);
  for (const part of schema.allOf ?? [])
    for (const marked of places(part, depth + 1)) yield Object.assign({}, sample(schema), marked);
  if (schema.anyOf !== undefined || schema.allOf !== undefined) return;
  if (schema.type === 'array') {
    const items = Array.isArray(schema.items) ? undefined : schema.items;
    for (const marked of places(asSchema(items), depth + 1)) yield [marked];
  } else if (schema.type === 'object') {
    const own = sample(schema);
    const named = Object.entries(schema.properties ?? {});
    const other = schema.additionalProperties;
    const all = isObject(other) ? [...named, ['x-any', other] as const] : named;
    for (const [name, property] of all)
      for (const marked of places(asSchema(property), depth + 1))
        yield Object.assign({}, own, { [name]: marked });
  } else if (schema.type === 'string' || schema.type === undefined) yield MARK;
}

const holdsMark = (value: unknown): boolean =>
  value === MARK ||
  (Array.isArray(value) ? value.some(holdsMark) : isObject(value) && Object.values(value).some(holdsMark));

/** The base, the marked place over it, and what the place needs around it. */
function laidOver(base: unknown, marked: unknown, mark: unknown): unknown {
  if (marked === MARK) return mark;
  if (Array.isArray(marked)) {
    if (!holdsMark(marked)) return Array.isArray(base) ? base : marked;
    return marked.map((entry, index) => laidOver(Array.isArray(base) ? base[index] : undefined, entry, mark));
  }
  if (!isObject(marked)) return base === undefined ? marked : base;
  const under = isObject(base) ? base : {};
  const over = Object.entries(marked).map(([name, value]) => [name, laidOver(under[name], value, mark)]);
  return { ...under, ...(Object.fromEntries(over) as object) };
}

/** Every place of the schema that takes a text, as a function that makes a specification of a base and a mark. */
export function markedPlaces(schema: z.ZodType): ((base: unknown, mark: unknown) => unknown)[] {
  const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return [...places(written, 0)].map((marked) => (base, mark) => laidOver(base, marked, mark));
}
