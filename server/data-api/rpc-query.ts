/** Calls of functions as SQL, with arguments by name. */
import type { SqlValue } from '../db/database.ts';
import type { ApiFunction } from './catalogue.ts';
import { identifier } from './statement-query.ts';
import type { Statement } from './statement-query.ts';

/** The call, to stand after `from` or in a select. Types are the catalogue's. */
export function callSql(
  called: ApiFunction,
  values: ReadonlyMap<string, SqlValue>,
  statement: Statement,
): string {
  const args = called.args
    .filter((arg) => values.has(arg.name))
    .map((arg) => `${identifier(arg.name)} => ${statement.param(values.get(arg.name) ?? null)}::${arg.type}`);
  return `${identifier(called.name)}(${args.join(', ')})`;
}

/** The same text as a read gives, for a function that answers plain values. */
export function valueSql(called: ApiFunction, call: string): string {
  if (called.returnsSet)
    return `select '- ' || count(*)::text || E'\\n' || coalesce(json_agg(value), '[]')::text from ${call} as value`;
  return `select '- 1' || E'\\n' || coalesce(to_json(value), 'null')::text from ${call} as value`;
}
