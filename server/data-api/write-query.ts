/** Inserts, updates and deletes as SQL: a CTE that writes, read back through the caller's select. */
import type { Relation } from './catalogue.ts';
import type { Plan } from './plan.ts';
import { readSql, whereSql } from './select-query.ts';
import { columnList, identifier } from './statement-query.ts';
import type { Statement } from './statement-query.ts';

const WRITTEN = '_hf_written';

export type Duplicates = { resolution: 'merge' | 'ignore'; conflict: readonly string[] };

export interface InsertOptions {
  /** A JSON array of objects. */
  body: string;
  columns: readonly string[];
  duplicates: Duplicates | null;
}

/** What was written needs no filter and no page: it is all of it. */
function readBack(plan: Plan, statement: Statement): string {
  const whole: Plan = {
    ...plan,
    conditions: [],
    embeds: plan.embeds.map((embed) => ({ ...embed, isInner: false })),
    offset: 0,
  };
  return readSql(whole, statement, { source: WRITTEN, withTotal: false });
}

function conflictSql(duplicates: Duplicates | null, columns: readonly string[]): string {
  if (duplicates === null) return '';
  const target = `on conflict (${columnList(duplicates.conflict)})`;
  if (duplicates.resolution === 'ignore') return `${target} do nothing`;
  const changes = columns.map((name) => `${identifier(name)} = excluded.${identifier(name)}`);
  return `${target} do update set ${changes.join(', ')}`;
}

export function insertSql(
  plan: Plan,
  statement: Statement,
  { body, columns, duplicates }: InsertOptions,
): string {
  const table = identifier(plan.relation.name);
  const names = columnList(columns);
  const source =
    columns.length === 0
      ? 'default values'
      : `(${names}) select ${names} from json_populate_recordset(null::${table}, ${statement.param(body)}::json)`;
  const written = `insert into ${table} ${source} ${conflictSql(duplicates, columns)}
    returning ${columnList(plan.relation.columns.keys())}`;
  return `with ${WRITTEN} as (${written}) ${readBack(plan, statement)}`;
}

export function updateSql(
  plan: Plan,
  statement: Statement,
  { body, columns }: { body: string; columns: readonly string[] },
): string {
  const table = identifier(plan.relation.name);
  const changes = columns.map((name) => `${identifier(name)} = _hf_body.${identifier(name)}`);
  const alias = statement.alias();
  const written = `update ${table} ${alias} set ${changes.join(', ')}
    from json_populate_record(null::${table}, ${statement.param(body)}::json) as _hf_body
    ${whereSql(plan, alias, statement)}
    returning ${columnList(plan.relation.columns.keys(), alias)}`;
  return `with ${WRITTEN} as (${written}) ${readBack(plan, statement)}`;
}

export function deleteSql(plan: Plan, statement: Statement): string {
  const alias = statement.alias();
  const written = `delete from ${identifier(plan.relation.name)} ${alias} ${whereSql(plan, alias, statement)}
    returning ${columnList(plan.relation.columns.keys(), alias)}`;
  return `with ${WRITTEN} as (${written}) ${readBack(plan, statement)}`;
}

/** Which columns a conflict is looked for in, when the caller names none. */
export function conflictTarget(relation: Relation, named: readonly string[] | null): readonly string[] {
  return named ?? relation.primaryKey;
}
