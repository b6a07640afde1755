/** Plans as SQL that answers JSON text. Embeds are subqueries of the row, so they run for the page's rows only. */
import { conditionSql, fieldSql } from './condition-query.ts';
import type { Join, Link } from './links.ts';
import type { Plan, PlannedEmbed, PlannedOrder } from './plan.ts';
import { identifier } from './statement-query.ts';
import type { Statement } from './statement-query.ts';

/** The alias of whole rows; no key of the output may start like it. */
const ROW = '_hf_row';

export interface ReadOptions {
  /** What stands after `from`, without its alias; the plan's relation unless given. */
  source?: string;
  withTotal: boolean;
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
  const relation = `${identifier(link.target.name)} ${target}`;
  if (link.kind !== 'many-to-many')
    return { target, from: relation, where: joinSql(link.join, sourceAlias, target) };
  const junction = statement.alias();
  const through = `exists (select 1 from ${identifier(link.junction.name)} ${junction}
    where ${joinSql(link.toJunction, sourceAlias, junction)} and ${joinSql(link.toTarget, junction, target)})`;
  return { target, from: relation, where: through };
}

/** Filters of the plan itself and the embeds that must exist. */
function whereTerms(plan: Plan, alias: string, statement: Statement): string[] {
  const own = plan.conditions.map((condition) => conditionSql(alias, condition, statement));
  const inner = plan.embeds
    .filter((embed) => embed.isInner)
    .map((embed) => {
      const rows = linkedRows(embed.link, alias, statement);
      const terms = [rows.where, ...whereTerms(embed.plan, rows.target, statement)];
      return `exists (select 1 from ${rows.from} where ${terms.join(' and ')})`;
    });
  return [...own, ...inner];
}

export function whereSql(plan: Plan, alias: string, statement: Statement): string {
  const terms = whereTerms(plan, alias, statement);
  return terms.length === 0 ? '' : `where ${terms.join(' and ')}`;
}

function orderTermSql({ embed, term }: PlannedOrder, alias: string, statement: Statement): string {
  const direction = term.descending ? 'desc' : 'asc';
  const nulls = term.nulls === null ? '' : ` nulls ${term.nulls}`;
  if (embed === null) return `${fieldSql(alias, term.field, statement)} ${direction}${nulls}`;
  const rows = linkedRows(embed.link, alias, statement);
  const field = fieldSql(rows.target, term.field, statement);
  return `(select ${field} from ${rows.from} where ${rows.where} limit 1) ${direction}${nulls}`;
}

function orderSql(plan: Plan, alias: string, statement: Statement): string {
  if (plan.order.length === 0) return '';
  return `order by ${plan.order.map((order) => orderTermSql(order, alias, statement)).join(', ')}`;
}

function embedSql(embed: PlannedEmbed, sourceAlias: string, statement: Statement): string {
  const rows = linkedRows(embed.link, sourceAlias, statement);
  const columns = columnsSql(embed.plan, rows.target, statement);
  const where = [rows.where, ...whereTerms(embed.plan, rows.target, statement)].join(' and ');
  const order = orderSql(embed.plan, rows.target, statement);
  const isOne = embed.link.kind === 'to-one';
  const range = isOne ? 'limit 1' : `limit ${embed.plan.limit} offset ${embed.plan.offset}`;
  const output = isOne ? `row_to_json(${ROW})` : `coalesce(json_agg(${ROW}), '[]')`;
  return `(select ${output} from (select ${columns} from ${rows.from} where ${where} ${order} ${range}) ${ROW})`;
}

function columnsSql(plan: Plan, alias: string, statement: Statement): string {
  const columns = plan.columns.map(({ key, field, cast }) => {
    const value = fieldSql(alias, field, statement);
    return `${cast === null ? value : `cast(${value} as ${cast})`} as ${identifier(key)}`;
  });
  const embeds = plan.embeds.map(
    (embed) => `${embedSql(embed, alias, statement)} as ${identifier(embed.key)}`,
  );
  return [...columns, ...embeds].join(', ');
}

/**
 * One text: `total returned`, a line end, the JSON array of the page. The total is `-` unless asked for.
 */
export function readSql(plan: Plan, statement: Statement, options: ReadOptions): string {
  const source = options.source ?? identifier(plan.relation.name);
  const alias = statement.alias();
  const columns = columnsSql(plan, alias, statement);
  const where = whereSql(plan, alias, statement);
  const order = orderSql(plan, alias, statement);
  const counted = statement.alias();
  const total = options.withTotal
    ? `(select count(*)::text from ${source} ${counted} ${whereSql(plan, counted, statement)})`
    : `'-'`;
  return `select ${total} || ' ' || count(*)::text || E'\\n' || coalesce(json_agg(${ROW}), '[]')::text
    from (select ${columns} from ${source} ${alias} ${where} ${order} limit ${plan.limit} offset ${plan.offset}) ${ROW}`;
}
