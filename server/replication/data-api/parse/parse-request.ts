/** Sorts the parts of a query string into select, filters, order and range, for the relation and its embeds. */
import { DataApiError, parseError, rangeError } from './api-error.ts';
import { parseFilterValue, parseLogicTree } from './parse-condition.ts';
import { splitPath } from './parse-field.ts';
import { parseOrder } from './parse-order.ts';
import { parseSelect } from './parse-select.ts';
import type { QueryPart } from './query-string.ts';
import type { ParsedRequest, Scope } from './request.ts';

const MAX_CONDITIONS = 500;

function parseCount(name: string, value: string): number {
  if (name === 'limit' && /^-\d+$/.test(value.trim())) {
    throw rangeError('Limit should be greater than or equal to zero.');
  }
  if (!/^\d{1,9}$/.test(value.trim())) throw parseError(`${name} parameter`, value);
  return Number(value);
}

function parseNames(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim().replaceAll('"', ''))
    .filter((name) => name !== '');
}

function createScopes() {
  const scopes = new Map<string, Scope>();
  return {
    of(path: readonly string[]): Scope {
      const key = path.join('.');
      const known = scopes.get(key);
      if (known !== undefined) return known;
      const scope: Scope = {
        path,
        conditions: [],
        order: null,
        limit: null,
        offset: null,
        withoutOperator: [],
      };
      scopes.set(key, scope);
      return scope;
    },
    all: () => [...scopes.values()],
  };
}

/** `and`, `or`, `not.and`, `not.or`, alone or after the path of an embed; null for any other name. */
function treeName(path: readonly string[]): { kind: 'and' | 'or'; negated: boolean; path: string[] } | null {
  const kind = path.at(-1);
  if (kind !== 'and' && kind !== 'or') return null;
  const negated = path.at(-2) === 'not';
  return { kind, negated, path: path.slice(0, negated ? -2 : -1) };
}

function addPart(scopes: ReturnType<typeof createScopes>, { name, value }: QueryPart): void {
  const path = splitPath(name);
  const last = path.at(-1) ?? '';
  const owner = scopes.of(path.slice(0, -1));
  const tree = treeName(path);
  if (tree !== null) {
    scopes.of(tree.path).conditions.push(parseLogicTree(tree.kind, tree.negated, value));
    return;
  }
  switch (last) {
    case 'order':
      owner.order ??= parseOrder(value);
      return;
    case 'limit':
      owner.limit ??= parseCount('limit', value);
      return;
    case 'offset':
      owner.offset ??= parseCount('offset', value);
      return;
    default: {
      const comparison = parseFilterValue(last, value);
      if (comparison === null) owner.withoutOperator.push({ name: last, value });
      else owner.conditions.push(comparison);
    }
  }
}

/** The request that a query string holds, apart from the arguments of a function. */
export function parseRequest(parts: readonly QueryPart[]): ParsedRequest {
  const scopes = createScopes();
  scopes.of([]);
  let select: string | undefined;
  let onConflict: string[] | null = null;
  let columns: string[] | null = null;
  if (parts.length > MAX_CONDITIONS) {
    throw new DataApiError(400, { code: 'PGRST100', message: 'the query has too many parts' });
  }
  for (const part of parts) {
    // Of duplicates the first counts.
    if (part.name === 'select') select ??= part.value;
    else if (part.name === 'on_conflict') onConflict ??= parseNames(part.value);
    else if (part.name === 'columns') columns ??= parseNames(part.value);
    else addPart(scopes, part);
  }
  return { select: parseSelect(select ?? ''), scopes: scopes.all(), onConflict, columns };
}
