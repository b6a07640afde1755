/** Calls of functions as SQL, with arguments by name. Types and names are the catalogue's. */
import type { ApiFunction, FunctionArgument } from '../catalogue/catalogue.ts';
import type { OutputForm } from '../statement/output-query.ts';
import type { RowWindow } from '../parse/row-range.ts';
import { rangeSql } from './select-query.ts';
import { identifier, relationSql } from '../statement/statement-query.ts';
import type { Statement } from '../statement/statement-query.ts';

/** What a call is given: texts by argument, one JSON object of all, or one JSON value that is the argument. */
export type CallValues =
  | { kind: 'texts'; texts: ReadonlyMap<string, string | readonly string[]> }
  | { kind: 'object'; names: ReadonlySet<string>; json: string }
  | { kind: 'whole'; json: string };

const ARGUMENTS = '_hf_args';
const VALUE = '_hf_value';

function passed(arg: FunctionArgument, value: string): string {
  return `${arg.isVariadic ? 'variadic ' : ''}${identifier(arg.name)} => ${value}`;
}

function invocation(called: ApiFunction, values: CallValues, statement: Statement): string {
  const name = relationSql(called);
  switch (values.kind) {
    case 'whole':
      return `${name}(${statement.param(values.json)}::${called.args[0]?.type ?? 'json'})`;
    case 'texts': {
      const args = called.args.flatMap((arg) => {
        const text = values.texts.get(arg.name);
        return text === undefined ? [] : [passed(arg, `${statement.param(text)}::${arg.type}`)];
      });
      return `${name}(${args.join(', ')})`;
    }
    case 'object': {
      const args = called.args
        .filter((arg) => values.names.has(arg.name))
        .map((arg) => passed(arg, `${ARGUMENTS}.${identifier(arg.name)}`));
      return `${name}(${args.join(', ')})`;
    }
  }
}

/** `from` for the function's rows under an alias; JSON arguments become columns of a row beside it. */
function callFrom(called: ApiFunction, values: CallValues, statement: Statement): string {
  const call = `${invocation(called, values, statement)} as ${VALUE}`;
  if (values.kind !== 'object' || values.names.size === 0) return call;
  const columns = called.args
    .filter((arg) => values.names.has(arg.name))
    .map((arg) => `${identifier(arg.name)} ${arg.type}`);
  const row = `json_to_record(${statement.param(values.json)}::json) as ${ARGUMENTS}(${columns.join(', ')})`;
  return `${row} cross join lateral ${call}`;
}

/** The call's rows, to stand after `from`. */
export function callSql(called: ApiFunction, values: CallValues, statement: Statement): string {
  return `(select ${VALUE}.* from ${callFrom(called, values, statement)})`;
}

/** The same text as a read gives, for a function that answers plain values. */
export function valueSql(
  called: ApiFunction,
  values: CallValues,
  { statement, form, window }: { statement: Statement; form: OutputForm; window: RowWindow },
): string {
  const call = callFrom(called, values, statement);
  const from = called.returnsSet
    ? `(select ${VALUE} from ${call} ${rangeSql(window)}) as _hf_values(${VALUE})`
    : call;
  if (called.returnsNothing) return `select '- 1 -' || E'\\n' || count(*)::text from ${from}`;
  if (form === 'csv') {
    return `select '- ' || count(*)::text || E' -\\n' || E'value' || E'\\n' || coalesce(string_agg(${VALUE}::text, E'\\n'), '') from ${from}`;
  }
  if (called.returnsSet)
    return `select '- ' || count(*)::text || E' -\\n' || coalesce(json_agg(${VALUE}), '[]')::text from ${from}`;
  return `select E'- 1 -\\n' || coalesce(to_json(${VALUE})::text, 'null') from ${from}`;
}
