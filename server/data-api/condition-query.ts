/** Filters and fields as SQL. */
import type { Arrow, Comparison, Condition, Field } from './request.ts';
import { identifier } from './statement-query.ts';
import type { Statement } from './statement-query.ts';

const IS_TESTS: Readonly<Record<string, string>> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
};

function arrowSql({ asText, key }: Arrow, statement: Statement): string {
  const operator = asText ? '->>' : '->';
  return /^-?\d{1,9}$/.test(key) ? `${operator} ${key}` : `${operator} ${statement.param(key)}::text`;
}

export function fieldSql(alias: string, field: Field, statement: Statement): string {
  const column = `${alias}.${identifier(field.column)}`;
  if (field.arrows.length === 0) return column;
  return `(${column} ${field.arrows.map((arrow) => arrowSql(arrow, statement)).join(' ')})`;
}

function comparisonSql(alias: string, comparison: Comparison, statement: Statement): string {
  const field = fieldSql(alias, comparison.field, statement);
  const value = comparison.values[0] ?? '';
  switch (comparison.operator) {
    case 'eq':
      return `${field} = ${statement.param(value)}`;
    case 'neq':
      return `${field} <> ${statement.param(value)}`;
    case 'gt':
      return `${field} > ${statement.param(value)}`;
    case 'gte':
      return `${field} >= ${statement.param(value)}`;
    case 'lt':
      return `${field} < ${statement.param(value)}`;
    case 'lte':
      return `${field} <= ${statement.param(value)}`;
    case 'like':
      return `${field} like ${statement.param(value.replaceAll('*', '%'))}`;
    case 'ilike':
      return `${field} ilike ${statement.param(value.replaceAll('*', '%'))}`;
    case 'in':
      return `${field} = any(${statement.param(comparison.values)})`;
    case 'is':
      return `${field} ${IS_TESTS[value] ?? 'is null'}`;
  }
}

export function conditionSql(alias: string, condition: Condition, statement: Statement): string {
  const negation = condition.negated ? 'not ' : '';
  if (condition.kind === 'comparison') return `${negation}(${comparisonSql(alias, condition, statement)})`;
  const members = condition.of.map((member) => conditionSql(alias, member, statement));
  return `${negation}(${members.join(` ${condition.kind} `)})`;
}
