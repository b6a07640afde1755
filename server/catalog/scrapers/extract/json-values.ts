/** Looking into documents by path. Static text or a path that begins with `$` (schema §5.2, base). */
import { JSONPath } from 'jsonpath-plus';
import { AppError } from '../../../../src/contract/errors.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { refuseEndlessPath } from './path-work.ts';

export type JsonObject = Record<string, unknown>;

/** A scalar as text; null for what isn't one, and for nothing. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const QUOTED_UNION = /\[\s*(?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))+\s*\]/g;

/** The path library knows unions of names only without quotes: `['a','b']` → `[a,b]`. */
function plainUnions(path: string): string {
  return path.replaceAll(QUOTED_UNION, (union) => union.replaceAll(/['"\s]/g, ''));
}

/** `.a.b`, `a.b` and `{.a.b}` all start at the root. */
function rooted(path: string): string {
  const trimmed = plainUnions(path.trim());
  const bare = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1) : trimmed;
  if (bare.startsWith('$')) return bare;
  return bare.startsWith('.') || bare.startsWith('[') ? `$${bare}` : `$.${bare}`;
}

function find(json: object, path: string, resultType: 'value' | 'all'): unknown {
  const from = rooted(path);
  refuseEndlessPath(from, json);
  try {
    return JSONPath({ path: from, json, eval: false, wrap: true, resultType });
  } catch (error) {
    // The library fails on a step up from the document itself.
    const reason = error instanceof TypeError ? 'leads out of the document' : reasonOf(error);
    throw new AppError('invalid', `${path}: ${reason}`, { cause: error });
  }
}

/** Everything that the path finds; filter scripts of the path language are off. */
export function findAll(document: unknown, path: string): unknown[] {
  if (typeof document !== 'object' || document === null) return [];
  const found = find(document, path, 'value');
  return Array.isArray(found) ? found : [];
}

interface Place {
  parent: JsonObject | unknown[];
  key: string | number;
}

function placesOf(document: unknown, path: string): Place[] {
  if (typeof document !== 'object' || document === null) return [];
  const found = find(document, path, 'all');
  if (!Array.isArray(found)) return [];
  return (found as { parent: Place['parent'] | null; parentProperty: string | number }[]).flatMap(
    ({ parent, parentProperty }) => (parent === null ? [] : [{ parent, key: parentProperty }]),
  );
}

/** Takes out what the path finds; changes the document that it is given. */
export function removeAt(document: unknown, path: string): void {
  // From the end, so that places in a list stay where they were found.
  for (const { parent, key } of placesOf(document, path).toReversed()) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  }
}

/** Puts another value where the path finds one; changes the document that it is given. */
export function replaceAt(document: unknown, path: string, write: (value: unknown) => unknown): void {
  for (const { parent, key } of placesOf(document, path)) {
    Reflect.set(parent, key, write(Reflect.get(parent, key)));
  }
}

/** A static text, or the text at a path that begins with `$`. Null when there is none. */
export function textAt(document: unknown, given: string | number | boolean | undefined): string | null {
  if (given === undefined) return null;
  const text = String(given);
  return text.startsWith('$') ? textOrNull(findAll(document, text)[0]) : textOrNull(text);
}
