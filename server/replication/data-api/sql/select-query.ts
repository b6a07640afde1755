/** Plans as SQL that answers text. Embeds are subqueries of the row, so they run for the page's rows only. */
import { conditionSql, fieldSql } from './condition-query.ts';
import type { Join, Link } from '../plan/links.ts';
import { bodySql } from '../statement/output-query.ts';
import type { OutputForm } from '../statement/output-query.ts';
import type { Plan, PlannedEmbed, PlannedOrder } from '../plan/plan.ts';
import { identifier, relationSql } from '../statement/statement-query.ts';
import type { Statement } from '../statement/statement-query.ts';

/** The alias of whole rows; no key of the output may start like it. */
const ROW = '_hf_row';

export interface ReadOptions {
  /** What stands after `from`, without its alias; the plan's relation unless given. */
  source?: string;
  withTotal: boolean;
  form: OutputForm;
  /** A column of the source that says of each row whether it is new. */
  newFlag?: string;
}

function joinSql(join: Join, leftAlias: string, rightAlias: string): string {
  return join.left
    .map(
      (left, index) =>
        `${leftAlias}.${identifier(left)} = ${rightAlias}.${identifier(join.right[index] ?? left)}`,
    )
    .join(' and ');
}

interface LinkedRows {
  target: string;
  from: string;
  where: string;
}

/** The target's rows that belong to the row of `sourceAlias`. */
function linkedRows(link: Link, sourceAlias: string, statement: Statement): LinkedRows {
  const target = statement.alias();
  const relation = `${relationSql(link.target)} ${target}`;
  if (link.kind !== 'many-to-many')
    return { target, from: relation, where: joinSql(link.join, sourceAlias, target) };
  const junction = statement.alias();
  const through = `exists (select 1 from ${relationSql(link.junction)} ${junction}
    where ${joinSql(link.toJunction, sourceAlias, junction)} and ${joinSql(link.toTarget, junction, target)})`;
  return { target, from: relation, where: through };
}

function existsSql(embed: PlannedEmbed, alias: string, statement: Statement): string {
  const rows = linkedRows(embed.link, alias, statement);
  const terms = [rows.where, ...whereTerms(embed.plan, rows.target, statement)];
  return `exists (select 1 from ${rows.from} where ${terms.join(' and ')})`;
}

/** Filters of the plan itself and the embeds that must exist. */
function whereTerms(plan: Plan, alias: string, statement: Statement): string[] {
  const context = {
    alias,
    statement,
    existsSql: (embed: PlannedEmbed) => existsSql(embed, alias, statement),
  };
  const own = plan.conditions.map((condition) => conditionSql(condition, context));
  const inner = plan.embeds
    .filter((embed) => embed.isInner)
    .map((embed) => existsSql(embed, alias, statement));
  return [...own, ...inner];
}

/** The plan's filters over `alias` with the word `where`; empty for none. */
export function whereSql(plan: Plan, alias: string, statement: Statement): string {
  const terms = whereTerms(plan, alias, statement);
  return terms.length === 0 ? '' : `where ${terms.join(' and ')}`;
}

function orderTermSql(order: PlannedOrder, alias: string, statement: Statement): string {
  const direction = order.descending ? 'desc' : 'asc';
  const nulls = order.nulls === null ? '' : ` nulls ${order.nulls}`;
  if (order.embed === null) return `${fieldSql(alias, order.field, statement)} ${direction}${nulls}`;
  const rows = linkedRows(order.embed.link, alias, statement);
  const field = fieldSql(rows.target, order.field, statement);
  // A to-one row that its own filters hide orders like none.
  const where = [rows.where, ...whereTerms(order.embed.plan, rows.target, statement)].join(' and ');
  return `(select ${field} from ${rows.from} where ${where} limit 1) ${direction}${nulls}`;
}

/** The plan's order over `alias` with the words `order by`; empty for none. */
export function orderSql(plan: Plan, alias: string, statement: Statement): string {
  if (plan.order.length === 0) return '';
  return `order by ${plan.order.map((order) => orderTermSql(order, alias, statement)).join(', ')}`;
}

/** `limit` and `offset`, nothing where all rows are wanted. */
export function rangeSql({ limit, offset }: Pick<Plan, 'limit' | 'offset'>): string {
  return `${limit === null ? '' : `limit ${limit}`} ${offset === 0 ? '' : `offset ${offset}`}`;
}

/** The embedded rows as a query with the keys of the embed's plan as columns. */
function embeddedRowsSql(embed: PlannedEmbed, sourceAlias: string, statement: Statement): string {
  const rows = linkedRows(embed.link, sourceAlias, statement);
  const { columns, joins } = selection(embed.plan, rows.target, statement);
  const where = [rows.where, ...whereTerms(embed.plan, rows.target, statement)].join(' and ');
  const order = orderSql(embed.plan, rows.target, statement);
  const range = embed.link.kind === 'to-one' ? 'limit 1' : rangeSql(embed.plan);
  return `select ${columns.join(', ')} from ${rows.from} ${joins.join(' ')} where ${where} ${order} ${range}`;
}

function embedSql(embed: PlannedEmbed, sourceAlias: string, statement: Statement): string {
  const rows = embeddedRowsSql(embed, sourceAlias, statement);
  const output = embed.link.kind === 'to-one' ? `row_to_json(${ROW})` : `coalesce(json_agg(${ROW}), '[]')`;
  return `(select ${output} from (${rows}) ${ROW}) as ${identifier(embed.key)}`;
}

/** The keys that a plan's rows have. */
function outputKeys(plan: Plan): string[] {
  const embedded = plan.embeds
    .filter((embed) => !embed.isHidden)
    .flatMap((embed) => (embed.isSpread ? outputKeys(embed.plan) : [embed.key]));
  return [...plan.columns.map((column) => column.key), ...embedded];
}

/** A spread embed: its columns beside the row's own; of several rows, arrays of their values. */
function spreadSql(embed: PlannedEmbed, sourceAlias: string, statement: Statement) {
  const alias = statement.alias();
  const rows = embeddedRowsSql(embed, sourceAlias, statement);
  const keys = outputKeys(embed.plan).map(identifier);
  const isOne = embed.link.kind === 'to-one';
  const gathered = keys.map((key) => `coalesce(json_agg(${ROW}.${key}), '[]') as ${key}`);
  const source = isOne ? rows : `select ${gathered.join(', ')} from (${rows}) ${ROW}`;
  return {
    columns: keys.map((key) => `${alias}.${key} as ${key}`),
    join: `left join lateral (${source}) ${alias} on true`,
  };
}

interface Selection {
  columns: string[];
  joins: string[];
}

function selection(plan: Plan, alias: string, statement: Statement): Selection {
  const columns = plan.columns.map(({ key, field, cast }) => {
    const value = fieldSql(alias, field, statement);
    return `${cast === null ? value : `cast(${value} as ${cast})`} as ${identifier(key)}`;
  });
  const shown = plan.embeds.filter((embed) => !embed.isHidden);
  const spreads = shown.filter((embed) => embed.isSpread).map((embed) => spreadSql(embed, alias, statement));
  const embeds = shown.filter((embed) => !embed.isSpread).map((embed) => embedSql(embed, alias, statement));
  return {
    columns: [...columns, ...embeds, ...spreads.flatMap((spread) => spread.columns)],
    joins: spreads.map((spread) => spread.join),
  };
}

/**
 * One text: `total returned new`, a line end, the page. The total is `-` unless asked for, new is how many of the
 * rows were inserted, `-` where that is not known.
 */
export function readSql(plan: Plan, statement: Statement, options: ReadOptions): string {
  const source = options.source ?? relationSql(plan.relation);
  const alias = statement.alias();
  const { columns, joins } = selection(plan, alias, statement);
  const where = whereSql(plan, alias, statement);
  const order = orderSql(plan, alias, statement);
  const counted = statement.alias();
  const total = options.withTotal
    ? `(select count(*)::text from ${source} ${counted} ${whereSql(plan, counted, statement)})`
    : `'-'`;
  const added =
    options.newFlag === undefined
      ? `'-'`
      : `(select count(*)::text from ${source} ${counted} where ${counted}.${identifier(options.newFlag)})`;
  return `select ${total} || ' ' || count(*)::text || ' ' || ${added} || E'\\n' || ${bodySql(ROW, options.form)}
    from (select ${columns.join(', ')} from ${source} ${alias} ${joins.join(' ')} ${where} ${order} ${rangeSql(plan)}) ${ROW}`;
}
