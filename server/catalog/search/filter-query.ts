/** Match lists and label selectors as SQL conditions; every text of a request is a parameter. */
import type { LabelRequirement } from '../../../src/domain/label-selector.ts';
import { isEmptyList } from '../../../src/domain/match-list.ts';
import type { MatchList, Pattern } from '../../../src/domain/match-list.ts';
import type { Statement } from '../../replication/data-api/statement/statement-query.ts';

const escapeLike = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`);

function likeOf({ kind, text }: Pattern): string {
  const start = kind === 'suffix' || kind === 'contains' ? '%' : '';
  const end = kind === 'prefix' || kind === 'contains' ? '%' : '';
  return `${start}${escapeLike(text)}${end}`;
}

const isExact = (pattern: Pattern) => pattern.kind === 'exact';

/** True when one of the columns fits one of the patterns. Columns are SQL of ours, never of a request. */
function anyFits(columns: readonly string[], patterns: readonly Pattern[], statement: Statement): string {
  const exact = patterns.filter(isExact).map(({ text }) => text);
  const loose = patterns.filter((pattern) => !isExact(pattern)).map(likeOf);
  const tests = columns.flatMap((column) => [
    ...(exact.length > 0 ? [`coalesce(${column}, '') = any(${statement.param(exact)}::text[])`] : []),
    ...(loose.length > 0 ? [`coalesce(${column}, '') like any(${statement.param(loose)}::text[])`] : []),
  ]);
  return `(${tests.join(' or ')})`;
}

/** The conditions of a list over text columns: wanted in any of them, refused in none; none for an empty list. */
export function listConditions(columns: readonly string[], list: MatchList, statement: Statement): string[] {
  if (isEmptyList(list)) return [];
  return [
    ...(list.wanted.length > 0 ? [anyFits(columns, list.wanted, statement)] : []),
    ...(list.refused.length > 0 ? [`not ${anyFits(columns, list.refused, statement)}`] : []),
  ];
}

function requirementSql(column: string, requirement: LabelRequirement, statement: Statement): string {
  const key = `${statement.param(requirement.key)}::text`;
  const listed = () => `(${column} ->> ${key}) = any(${statement.param(requirement.values)}::text[])`;
  switch (requirement.operator) {
    case 'exists':
      return `coalesce(jsonb_exists(${column}, ${key}), false)`;
    case 'missing':
      return `not coalesce(jsonb_exists(${column}, ${key}), false)`;
    case 'in':
      return `coalesce(${listed()}, false)`;
    case 'notin':
      return `not coalesce(${listed()}, false)`;
  }
}

/** The conditions of a label selector over a jsonb column. */
export function labelConditions(
  column: string,
  requirements: readonly LabelRequirement[],
  statement: Statement,
): string[] {
  return requirements.map((requirement) => requirementSql(column, requirement, statement));
}
