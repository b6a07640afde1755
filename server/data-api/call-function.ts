/** Functions over HTTP: which overload is meant, which parts of the query are its arguments. */
import type { Queryable, SqlValue } from '../db/database.ts';
import { DataApiError, clip } from './api-error.ts';
import { parsePage } from './answer.ts';
import type { Page } from './answer.ts';
import type { ApiFunction } from './catalogue.ts';
import type { Plan } from './plan.ts';
import type { QueryPart } from './query-string.ts';
import { callSql, valueSql } from './rpc-query.ts';
import { readSql } from './select-query.ts';
import { createStatement } from './statement-query.ts';
import { parseJsonBody } from './write-body.ts';

export interface FunctionCall {
  called: ApiFunction;
  values: ReadonlyMap<string, SqlValue>;
  /** Parts of the query that are not arguments. */
  rest: QueryPart[];
}

function noSuchFunction(name: string): DataApiError {
  return new DataApiError(404, {
    code: 'PGRST202',
    message: `Could not find the function public.${clip(name)} with these arguments`,
  });
}

function choose(overloads: readonly ApiFunction[], given: readonly string[]): ApiFunction | undefined {
  const fitting = overloads.filter((candidate) =>
    candidate.args.every((arg) => arg.isOptional || given.includes(arg.name)),
  );
  const score = (candidate: ApiFunction) => candidate.args.filter((arg) => given.includes(arg.name)).length;
  return fitting.toSorted((a, b) => score(b) - score(a))[0];
}

/** A call by GET: parts named like arguments are arguments, all others filter the result. */
export function readGetCall(
  overloads: readonly ApiFunction[],
  name: string,
  parts: readonly QueryPart[],
): FunctionCall {
  const called = choose(
    overloads,
    parts.map((part) => part.name),
  );
  if (called === undefined) throw noSuchFunction(name);
  if (called.isVolatile) {
    throw new DataApiError(405, { code: '25006', message: `${name} changes data; call it with POST` });
  }
  const names = new Set(called.args.map((arg) => arg.name));
  const values = new Map<string, SqlValue>();
  for (const part of parts)
    if (names.has(part.name) && !values.has(part.name)) values.set(part.name, part.value);
  return { called, values, rest: parts.filter((part) => !names.has(part.name)) };
}

function argumentValue(value: unknown, type: string): SqlValue {
  if (type === 'json' || type === 'jsonb') return JSON.stringify(value);
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value)) return value.map((item: unknown) => argumentValue(item, ''));
  return JSON.stringify(value);
}

/** A call by POST: the body holds the arguments. */
export function readPostCall(
  overloads: readonly ApiFunction[],
  name: string,
  { parts, body }: { parts: readonly QueryPart[]; body: string | undefined },
): FunctionCall {
  const parsed = parseJsonBody(body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new DataApiError(400, { code: 'PGRST102', message: 'The body must be an object of arguments' });
  }
  const entries = Object.entries(parsed);
  const called = choose(
    overloads,
    entries.map(([key]) => key),
  );
  if (called === undefined || entries.some(([key]) => !called.args.some((arg) => arg.name === key)))
    throw noSuchFunction(name);
  const types = new Map(called.args.map((arg) => [arg.name, arg.type]));
  const values = new Map(entries.map(([key, value]) => [key, argumentValue(value, types.get(key) ?? '')]));
  return { called, values, rest: [...parts] };
}

/** Runs the call; `plan` shapes its rows and is null for a function of plain values. */
export async function runCall(
  db: Queryable,
  { called, values }: FunctionCall,
  { plan, withTotal }: { plan: Plan | null; withTotal: boolean },
): Promise<Page> {
  const statement = createStatement();
  const call = callSql(called, values, statement);
  const sql = plan === null ? valueSql(called, call) : readSql(plan, statement, { source: call, withTotal });
  return parsePage(await db.text(sql, statement.params));
}
