/** Grammar of filters: `column=not.op.value`, and the trees `or=(a.eq.1,and(b.lt.2,not.or(…)))`. */
import { parseError } from './api-error.ts';
import { parseField } from './parse-field.ts';
import type { Comparison, Condition, Group, Operator } from './request.ts';
import { readText } from './text-reader.ts';
import type { TextReader } from './text-reader.ts';

const OPERATORS: readonly Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'in', 'is'];
const OPERATION = new RegExp(`^(not\\.)?(${OPERATORS.join('|')})\\.`);
const OPERATION_INSIDE = new RegExp(`\\.(not\\.)?(${OPERATORS.join('|')})\\.`);
const TREE_START = /^(not\.)?(and|or)\(/;
const IS_VALUES: ReadonlySet<string> = new Set(['null', 'not_null', 'true', 'false', 'unknown']);
/** A tree deeper than anyone writes would overrun the database's own stack. */
const MAX_DEPTH = 30;

function isOperator(text: string | undefined): text is Operator {
  return OPERATORS.some((operator) => operator === text);
}

function readList(reader: TextReader): string[] {
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
  if (!IS_VALUES.has(word)) throw parseError('filter', text);
  return [word];
}

/** The filter that a parameter's value holds, or null when it does not start with an operator. */
export function parseFilterValue(fieldText: string, text: string): Comparison | null {
  const found = OPERATION.exec(text);
  const operator = found?.[2];
  if (found === null || !isOperator(operator)) return null;
  const value = text.slice(found[0].length);
  const base = {
    kind: 'comparison' as const,
    field: parseField(fieldText),
    negated: found[1] !== undefined,
    operator,
  };
  if (operator === 'is') return { ...base, values: checkIs(value, text) };
  if (operator !== 'in') return { ...base, values: [value] };
  const reader = readText(value.trim(), 'filter');
  const values = readList(reader);
  if (!reader.isAtEnd()) throw parseError('filter', text);
  return { ...base, values };
}

function readComparison(reader: TextReader, whole: string): Comparison {
  const found = OPERATION_INSIDE.exec(reader.rest());
  const operator = found?.[2];
  if (found === null || !isOperator(operator)) throw parseError('logic tree', whole);
  const field = parseField(reader.skip(found.index));
  reader.skip(found[0].length);
  const base = { kind: 'comparison' as const, field, negated: found[1] !== undefined, operator };
  if (operator === 'in') return { ...base, values: readList(reader) };
  const value = reader.takeQuoted() ?? reader.until(',)');
  return { ...base, values: operator === 'is' ? checkIs(value, whole) : [value] };
}

function readTree(reader: TextReader, whole: string, depth: number): Condition {
  if (depth > MAX_DEPTH) throw parseError('logic tree', whole);
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
  if (!reader.isAtEnd()) throw parseError('logic tree', text);
  return { kind, negated, of };
}
