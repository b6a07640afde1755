/** Grammar of filters: `column=not.op.value`, and the trees `or=(a.eq.1,and(b.lt.2,not.or(…)))`. */
import { parseError } from './api-error.ts';
import { parseField } from './parse-field.ts';
import { LISTABLE_OPERATORS, OTHER_OPERATORS, SEARCH_OPERATORS } from './request.ts';
import type { Comparison, Condition, Group, Operator } from './request.ts';
import { readText } from './text-reader.ts';
import type { TextReader } from './text-reader.ts';

const OPERATORS: readonly Operator[] = [...LISTABLE_OPERATORS, ...SEARCH_OPERATORS, ...OTHER_OPERATORS];
const OPERATION_TEXT =
  `(?<not>not\\.)?(?:(?<listable>${LISTABLE_OPERATORS.join('|')})(?:\\((?<quantifier>any|all)\\))?` +
  `|(?<search>${SEARCH_OPERATORS.join('|')})(?:\\((?<language>[^()]*)\\))?` +
  `|(?<other>${OTHER_OPERATORS.join('|')}))\\.`;
const OPERATION = new RegExp(`^${OPERATION_TEXT}`);
const OPERATION_INSIDE = new RegExp(`\\.${OPERATION_TEXT}`);
const TREE_START = /^(not\.)?(and|or) *\(/;
const IS_VALUES: ReadonlySet<string> = new Set(['null', 'not_null', 'true', 'false', 'unknown']);
/** A tree deeper than anyone writes would overrun the database's own stack. */
const MAX_DEPTH = 30;

function isOperator(text: string | undefined): text is Operator {
  return OPERATORS.some((operator) => operator === text);
}

type Operation = Pick<Comparison, 'negated' | 'operator' | 'quantifier' | 'language'>;

function operationOf(found: RegExpExecArray): Operation | null {
  const groups = found.groups ?? {};
  const operator = groups['listable'] ?? groups['search'] ?? groups['other'];
  if (!isOperator(operator)) return null;
  const { quantifier } = groups;
  return {
    negated: groups['not'] !== undefined,
    operator,
    quantifier: quantifier === 'any' || quantifier === 'all' ? quantifier : null,
    language: groups['language'] ?? null,
  };
}

function readList(reader: TextReader): string[] {
  reader.skipSpaces();
  reader.expect('(');
  const items: string[] = [];
  reader.skipSpaces();
  if (reader.take(')')) return items;
  for (;;) {
    reader.skipSpaces();
    items.push(reader.takeQuoted() ?? reader.until(',)').trim());
    reader.skipSpaces();
    if (reader.take(')')) return items;
    reader.expect(',');
  }
}

function checkIs(value: string, text: string): string[] {
  const word = value.trim().toLowerCase();
  if (!IS_VALUES.has(word)) throw parseError('filter', text, Math.max(0, text.length - value.length));
  return [word];
}

/** The filter that a parameter's value holds, or null when it does not start with an operator. */
export function parseFilterValue(fieldText: string, text: string): Comparison | null {
  const found = OPERATION.exec(text);
  const operation = found === null ? null : operationOf(found);
  if (found === null || operation === null) return null;
  const value = text.slice(found[0].length);
  const base = { kind: 'comparison' as const, field: parseField(fieldText), ...operation };
  if (base.operator === 'is') return { ...base, values: checkIs(value, text) };
  if (base.operator !== 'in') return { ...base, values: [value] };
  const reader = readText(value.trim(), 'filter');
  const values = readList(reader);
  if (!reader.isAtEnd()) throw parseError('filter', text, text.length - 1);
  return { ...base, values };
}

/** A value inside a tree: quoted, a list in braces, or up to the next comma or parenthesis, without spaces around. */
function readTreeValue(reader: TextReader): string {
  reader.skipSpaces();
  const quoted = reader.takeQuoted();
  if (quoted !== null) return quoted;
  const braces = /^\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}(?= *(?:[,)]|$))/.exec(reader.rest());
  return braces === null ? reader.until(',)').trim() : reader.skip(braces[0].length);
}

function readComparison(reader: TextReader, whole: string): Comparison {
  const found = OPERATION_INSIDE.exec(reader.rest());
  const operation = found === null ? null : operationOf(found);
  if (found === null || operation === null) throw reader.fail();
  const field = parseField(reader.skip(found.index));
  reader.skip(found[0].length);
  const base = { kind: 'comparison' as const, field, ...operation };
  if (base.operator === 'in') return { ...base, values: readList(reader) };
  const value = readTreeValue(reader);
  return { ...base, values: base.operator === 'is' ? checkIs(value, whole) : [value] };
}

function readTree(reader: TextReader, whole: string, depth: number): Condition {
  if (depth > MAX_DEPTH) throw reader.fail();
  reader.skipSpaces();
  const start = TREE_START.exec(reader.rest());
  if (start === null) return readComparison(reader, whole);
  reader.skip(start[0].length - 1);
  return {
    kind: start[2] === 'and' ? 'and' : 'or',
    negated: start[1] !== undefined,
    of: readMembers(reader, whole, depth),
  };
}

function readMembers(reader: TextReader, whole: string, depth: number): Condition[] {
  reader.expect('(');
  const members: Condition[] = [];
  for (;;) {
    members.push(readTree(reader, whole, depth + 1));
    reader.skipSpaces();
    if (reader.take(')')) return members;
    reader.expect(',');
  }
}

/** The tree of a parameter `or`, `and`, `not.or` or `not.and`. */
export function parseLogicTree(kind: Group['kind'], negated: boolean, text: string): Group {
  const reader = readText(text.trim(), 'logic tree');
  const of = readMembers(reader, text, 0);
  reader.skipSpaces();
  if (!reader.isAtEnd()) throw reader.fail();
  return { kind, negated, of };
}

/** Whether a parameter's value is meant as a filter. */
export function hasOperator(text: string): boolean {
  return OPERATION.test(text);
}
