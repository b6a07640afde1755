/** Inserts, updates and deletes as SQL: a CTE that writes, read back through the caller's select. */
import type { Relation } from '../catalogue/catalogue.ts';
import type { OutputForm } from '../statement/output-query.ts';
import type { Plan } from '../plan/plan.ts';
import { orderSql, rangeSql, readSql, whereSql } from './select-query.ts';
import { columnList, identifier, relationSql } from '../statement/statement-query.ts';
import type { Statement } from '../statement/statement-query.ts';

const WRITTEN = '_hf_written';
const BODY = '_hf_body';
/** Beside the row's columns: whether it was inserted, not updated. */
const NEW = '_hf_new';

export interface Duplicates {
  resolution: 'merge' | 'ignore';
  conflict: readonly string[];
}

export interface WriteOptions {
  /** JSON: an array of objects for inserts, one object for updates. */
  body: string;
  columns: readonly string[];
  /** Columns that the body does not name get their default, not null. */
  withDefaults: boolean;
  form: OutputForm;
}

export interface InsertOptions extends WriteOptions {
  duplicates: Duplicates | null;
  /** The rows must match the plan's filters (PUT). */
  isFiltered: boolean;
}

/** What was written needs no filter and no page: it is all of it. */
function readBack(
  plan: Plan,
  statement: Statement,
  { form, tellsNew = false }: { form: OutputForm; tellsNew?: boolean },
): string {
  const whole: Plan = {
    ...plan,
    conditions: [],
    embeds: plan.embeds.map((embed) => ({ ...embed, isInner: false })),
    limit: null,
    offset: 0,
  };
  const options = { source: WRITTEN, withTotal: false, form };
  return readSql(whole, statement, tellsNew ? { ...options, newFlag: NEW } : options);
}

function conflictSql(duplicates: Duplicates | null, columns: readonly string[]): string {
  if (duplicates === null) return '';
  const target = `on conflict (${columnList(duplicates.conflict)})`;
  if (duplicates.resolution === 'ignore' || columns.length === 0) return `${target} do nothing`;
  const changes = columns.map((name) => `${identifier(name)} = excluded.${identifier(name)}`);
  return `${target} do update set ${changes.join(', ')}`;
}

/** The body's rows; with defaults, an object of them lies under each. */
function bodyRows(relation: Relation, statement: Statement, options: WriteOptions): string {
  const { body, columns, withDefaults } = options;
  const table = `null::${relationSql(relation)}`;
  const defaults = withDefaults
    ? columns.flatMap((name) => {
        const sql = relation.columns.get(name)?.defaultSql ?? null;
        return sql === null ? [] : [`${statement.param(name)}::text, ${sql}`];
      })
    : [];
  if (defaults.length === 0) return `json_populate_recordset(${table}, ${statement.param(body)}::json)`;
  return `jsonb_populate_recordset(${table}, (
    select coalesce(jsonb_agg(jsonb_build_object(${defaults.join(', ')}) || _hf_row), '[]')
    from jsonb_array_elements(${statement.param(body)}::jsonb) as _hf_row))`;
}

/** Duplicates are an error, ignored or merged, as `options.duplicates` says. */
export function insertSql(plan: Plan, statement: Statement, options: InsertOptions): string {
  const { columns, duplicates, isFiltered } = options;
  const names = columnList(columns);
  const filter = isFiltered ? whereSql(plan, BODY, statement) : '';
  const source =
    columns.length === 0
      ? 'default values'
      : `(${names}) select ${columnList(columns, BODY)} from ${bodyRows(plan.relation, statement, options)} as ${BODY} ${filter}`;
  const tellsNew = duplicates?.resolution === 'merge' && plan.relation.hasRowVersions;
  const newFlag = tellsNew ? `, (xmax = 0) as ${NEW}` : '';
  const written = `insert into ${relationSql(plan.relation)} ${source} ${conflictSql(duplicates, columns)}
    returning ${columnList(plan.relation.columns.keys())}${newFlag}`;
  return `with ${WRITTEN} as (${written}) ${readBack(plan, statement, { form: options.form, tellsNew })}`;
}

/** The rows to change: all that match, or of those only the first in the given order. */
function targetSql(plan: Plan, alias: string, statement: Statement): string {
  if (plan.limit === null && plan.offset === 0) return whereSql(plan, alias, statement);
  const chosen = statement.alias();
  return `where ${alias}.ctid = any(array(select ${chosen}.ctid from ${relationSql(plan.relation)} ${chosen}
    ${whereSql(plan, chosen, statement)} ${orderSql(plan, chosen, statement)} ${rangeSql(plan)}))`;
}

/** Writes the columns of the body to every row that the filters mean. */
export function updateSql(plan: Plan, statement: Statement, options: WriteOptions): string {
  const { relation } = plan;
  const changes = options.columns.map((name) => `${identifier(name)} = ${BODY}.${identifier(name)}`);
  const alias = statement.alias();
  const rows = bodyRows(relation, statement, { ...options, body: `[${options.body}]` });
  const written = `update ${relationSql(relation)} ${alias} set ${changes.join(', ')}
    from (select ${columnList(options.columns)} from ${rows} limit 1) as ${BODY}
    ${targetSql(plan, alias, statement)}
    returning ${columnList(relation.columns.keys(), alias)}`;
  return `with ${WRITTEN} as (${written}) ${readBack(plan, statement, options)}`;
}

/** Deletes every row that the filters mean. */
export function deleteSql(plan: Plan, statement: Statement, form: OutputForm): string {
  const alias = statement.alias();
  const written = `delete from ${relationSql(plan.relation)} ${alias} ${targetSql(plan, alias, statement)}
    returning ${columnList(plan.relation.columns.keys(), alias)}`;
  return `with ${WRITTEN} as (${written}) ${readBack(plan, statement, { form })}`;
}
