/**
 * Keys of a value that its zod schema does not know. Where the schema allows no others, each is told; where it does,
 * only those that are a slip of the finger away from a key that it knows and that is missing. Knows no product words.
 */
import type { z } from 'zod';
import { closestWord } from './closest-word.ts';
import { isRecord } from './is-record.ts';
import { addTo } from './group-by.ts';

export interface UnknownKey {
  path: PropertyKey[];
  /** The key that was probably meant. */
  meant: string | null;
}

type Schema = z.core.$ZodTypes;

/** What a value may be at one place, without the wrappers around it. */
function alternatives(schema: z.core.$ZodType): Schema[] {
  // Every schema that zod makes is one of these.
  const { def } = (schema as Schema)._zod;
  if ('innerType' in def) return alternatives(def.innerType);
  if (def.type === 'pipe') return alternatives(def.out);
  if (def.type === 'lazy') return alternatives(def.getter());
  if (def.type === 'union') return def.options.flatMap(alternatives);
  if (def.type === 'intersection') return [def.left, def.right].flatMap(alternatives);
  return [schema as Schema];
}

/** What is known of the keys of an object at one place. */
interface Keys {
  known: Map<string, z.core.$ZodType[]>;
  /** No others are allowed. */
  isClosed: boolean;
  /** Any key is as good as another. */
  isFree: boolean;
}

function keysOf(schemas: readonly Schema[]): Keys {
  const keys: Keys = { known: new Map(), isClosed: true, isFree: true };
  for (const { _zod } of schemas) {
    const { def } = _zod;
    if (def.type === 'record' || def.type === 'any' || def.type === 'unknown')
      return { ...keys, isFree: true };
    if (def.type !== 'object') continue;
    keys.isFree = false;
    if (def.catchall?._zod.def.type !== 'never') keys.isClosed = false;
    for (const [key, of] of Object.entries(def.shape)) addTo(keys.known, key, of);
  }
  return keys;
}

function unknownKey(key: string, value: object, { known, isClosed }: Keys): string | null | undefined {
  const free = [...known.keys()].filter((name) => !Object.hasOwn(value, name));
  const meant = closestWord(key, free, isClosed ? undefined : 1);
  return meant === null && !isClosed ? undefined : meant;
}

function walk(schemas: readonly Schema[], value: unknown, path: readonly PropertyKey[]): UnknownKey[] {
  if (Array.isArray(value)) {
    const elements = schemas.flatMap(({ _zod: { def } }) =>
      def.type === 'array' ? alternatives(def.element) : [],
    );
    return value.flatMap((entry, index) => walk(elements, entry, [...path, index]));
  }
  if (!isRecord(value)) return [];
  const keys = keysOf(schemas);
  if (keys.isFree) return [];
  return Object.entries(value).flatMap(([key, entry]): UnknownKey[] => {
    const place = [...path, key];
    const known = keys.known.get(key);
    if (known !== undefined) return walk(known.flatMap(alternatives), entry, place);
    const meant = unknownKey(key, value, keys);
    return meant === undefined ? [] : [{ path: place, meant }];
  });
}

/** The keys of `value`, at any depth, that `schema` does not know. */
export function unknownKeys(schema: z.core.$ZodType, value: unknown): UnknownKey[] {
  return walk(alternatives(schema), value, []);
}
