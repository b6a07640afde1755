/** Checks filters and fields of a request against the catalogue. */
import { DataApiError, unknownColumn } from '../parse/api-error.ts';
import type { Column, Relation } from '../catalogue/catalogue.ts';
import { assertHarmlessPattern } from '../parse/pattern-guard.ts';
import type { PlannedEmbed } from './plan.ts';
import type { Comparison, Condition, Field } from '../parse/request.ts';

/** A field of which the column is known. */
export interface PlannedField extends Field {
  of: Column;
}

export type PlannedCondition =
  | (Omit<Comparison, 'field'> & { field: PlannedField })
  | { kind: 'and' | 'or'; negated: boolean; of: readonly PlannedCondition[] }
  /** Whether the embed has rows for this one; negated: has none. */
  | { kind: 'embedded'; negated: boolean; embed: PlannedEmbed };

/** The field, if its column exists and has what its arrows look for. */
export function planField(relation: Relation, field: Field): PlannedField {
  const column = relation.columns.get(field.column);
  if (column === undefined) throw unknownColumn(relation.name, field.column);
  const breaksOff = field.arrows.slice(0, -1).some((arrow) => arrow.asText);
  if (field.arrows.length > 0 && ((!column.isJson && !column.isStructured) || breaksOff)) {
    throw new DataApiError(404, {
      code: '42883',
      message: `column ${relation.name}.${column.name} has no such JSON path`,
    });
  }
  return { ...field, of: column };
}

function badOperator(name: string): DataApiError {
  return new DataApiError(400, {
    code: 'PGRST120',
    message: `Bad operator on the '${name}' embedded resource`,
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });
}

/** `embed=is.null`, `embed=not.is.null`: rows without or with what is embedded. */
function planExistence(comparison: Comparison, embed: PlannedEmbed): PlannedCondition {
  const [value] = comparison.values;
  if (comparison.operator !== 'is' || (value !== 'null' && value !== 'not_null'))
    throw badOperator(embed.name);
  const wantsNone = (value === 'null') !== comparison.negated;
  return { kind: 'embedded', negated: wantsNone, embed };
}

/** The condition with its names looked up; a column goes before an embed of the same name. */
export function planCondition(
  relation: Relation,
  embeds: readonly PlannedEmbed[],
  condition: Condition,
): PlannedCondition {
  if (condition.kind !== 'comparison') {
    return { ...condition, of: condition.of.map((member) => planCondition(relation, embeds, member)) };
  }
  const { field } = condition;
  const embed = embeds.find((candidate) => candidate.name === field.column);
  if (embed !== undefined && field.arrows.length === 0 && !relation.columns.has(field.column)) {
    return planExistence(condition, embed);
  }
  const { operator, quantifier, values } = condition;
  if (operator === 'match' || operator === 'imatch')
    values.forEach((value) => assertHarmlessPattern(value, quantifier !== null));
  return { ...condition, field: planField(relation, field) };
}
