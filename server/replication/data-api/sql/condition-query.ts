/** Filters and fields as SQL. */
import type { PlannedEmbed } from '../plan/plan.ts';
import type { PlannedCondition, PlannedField } from '../plan/plan-conditions.ts';
import type { Arrow, Operator, SearchOperator } from '../parse/request.ts';
import { identifier } from '../statement/statement-query.ts';
import type { Statement } from '../statement/statement-query.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

type PlannedComparison = Extract<PlannedCondition, { kind: 'comparison' }>;

export interface ConditionContext {
  /** The table whose rows are tested. */
  alias: string;
  statement: Statement;
  /** SQL that tells whether the embed has rows. */
  existsSql(embed: PlannedEmbed): string;
}

const IS_TESTS = lookupTable<string>({
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
});

const SEARCH_FUNCTIONS: Readonly<Record<SearchOperator, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

const BINARY_OPERATORS: Readonly<Record<Exclude<Operator, SearchOperator | 'in' | 'is'>, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

function arrowSql({ asText, key }: Arrow, statement: Statement): string {
  const operator = asText ? '->>' : '->';
  return /^-?\d{1,9}$/.test(key) ? `${operator} ${key}` : `${operator} ${statement.param(key)}::text`;
}

/** The column, or what its JSON arrows lead to; arrows go in as parameters. */
export function fieldSql(alias: string, field: PlannedField, statement: Statement): string {
  const column = `${alias}.${identifier(field.column)}`;
  if (field.arrows.length === 0) return column;
  const source = field.of.isStructured ? `to_jsonb(${column})` : column;
  return `(${source} ${field.arrows.map((arrow) => arrowSql(arrow, statement)).join(' ')})`;
}

function isSearch(operator: Operator): operator is SearchOperator {
  return operator in SEARCH_FUNCTIONS;
}

function searchSql(
  operator: SearchOperator,
  comparison: PlannedComparison,
  { alias, statement }: ConditionContext,
): string {
  const { field, language } = comparison;
  const source = fieldSql(alias, field, statement);
  const setting = language === null ? '' : `${statement.param(language)}::regconfig, `;
  const isVector = field.of.isTextSearch && field.arrows.length === 0;
  const vector = isVector ? source : `to_tsvector(${setting}${source})`;
  return `${vector} @@ ${SEARCH_FUNCTIONS[operator]}(${setting}${statement.param(comparison.values[0] ?? '')})`;
}

const TEXT_TESTS: ReadonlySet<Operator> = new Set(['like', 'ilike', 'match', 'imatch']);

const isTextArray = ({ of, arrows }: PlannedField) => of.type === 'text[]' && arrows.length === 0;

function comparisonSql(comparison: PlannedComparison, context: ConditionContext): string {
  const { alias, statement } = context;
  const { operator, quantifier, values, field } = comparison;
  const [value = ''] = values;
  if (isSearch(operator)) return searchSql(operator, comparison, context);
  const left = fieldSql(alias, field, statement);
  if (operator === 'in') return `${left} = any(${statement.param(values)})`;
  if (operator === 'is') return `${left} ${IS_TESTS[value] ?? 'is null'}`;
  const isPattern = operator === 'like' || operator === 'ilike';
  const right = statement.param(isPattern ? value.replaceAll('*', '%') : value);
  const quantified = quantifier === null ? right : `${quantifier}(${right})`;
  const test = (tested: string) => `${tested} ${BINARY_OPERATORS[operator]} ${quantified}`;
  if (!isTextArray(field) || !TEXT_TESTS.has(operator)) return test(left);
  // A list matches a pattern by one of its texts.
  const element = statement.alias();
  return `exists (select 1 from unnest(${left}) as ${element}(text) where ${test(`${element}.text`)})`;
}

/** Values go in as parameters. */
export function conditionSql(condition: PlannedCondition, context: ConditionContext): string {
  const negation = condition.negated ? 'not ' : '';
  switch (condition.kind) {
    case 'comparison':
      return `${negation}(${comparisonSql(condition, context)})`;
    case 'embedded':
      return `${negation}${context.existsSql(condition.embed)}`;
    case 'and':
    case 'or': {
      const members = condition.of.map((member) => conditionSql(member, context));
      return `${negation}(${members.join(` ${condition.kind} `)})`;
    }
  }
}
