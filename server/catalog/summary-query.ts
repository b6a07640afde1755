/** Config items counted by group, as one statement (schema §5.4). */
import type { MatchList } from '../../src/domain/match-list.ts';
import { createStatement } from '../data-api/statement-query.ts';
import type { Statement } from '../data-api/statement-query.ts';
import type { Queryable } from '../db/database.ts';
import { listConditions } from './filter-query.ts';

export const COST_COLUMNS = {
  '1d': 'cost_total_1d',
  '7d': 'cost_total_7d',
  '30d': 'cost_total_30d',
} as const;
export type CostWindow = keyof typeof COST_COLUMNS;

/** Group keys that are columns; every other key is a tag. */
const GROUP_COLUMNS: Readonly<Record<string, string>> = {
  type: 'c.type',
  config_class: 'c.config_class',
  name: 'c.name',
};

export interface CatalogSummary {
  groupBy: readonly string[];
  changesSince: Date | null;
  findingsSince: Date | null;
  cost: CostWindow | null;
  isDeletedToo: boolean;
  status: MatchList;
  health: MatchList;
  labels: ReadonlyMap<string, MatchList>;
}

function groupSql(key: string, statement: Statement): string {
  return Object.hasOwn(GROUP_COLUMNS, key)
    ? (GROUP_COLUMNS[key] ?? '')
    : `(c.tags ->> ${statement.param(key)}::text)`;
}

/** Label inclusions count together, also across labels; each exclusion counts by itself (contract §6.6). */
function labelFilter(labels: CatalogSummary['labels'], statement: Statement): string[] {
  const wanted: string[] = [];
  const refused: string[] = [];
  for (const [key, list] of labels) {
    const column = `(c.labels ->> ${statement.param(key)}::text)`;
    wanted.push(...listConditions([column], { wanted: list.wanted, refused: [] }, statement));
    refused.push(...listConditions([column], { wanted: [], refused: list.refused }, statement));
  }
  return [...(wanted.length > 0 ? [`(${wanted.join(' or ')})`] : []), ...refused];
}

function conditions(summary: CatalogSummary, statement: Statement): string[] {
  return [
    ...(summary.isDeletedToo ? [] : ['c.deleted_at is null']),
    ...listConditions(['c.status'], summary.status, statement),
    ...listConditions(['c.health'], summary.health, statement),
    ...labelFilter(summary.labels, statement),
  ];
}

const HEALTH = `nullif(json_strip_nulls(json_build_object(
    'healthy', nullif(count(*) filter (where items.health = 'healthy'), 0),
    'unhealthy', nullif(count(*) filter (where items.health = 'unhealthy'), 0),
    'warning', nullif(count(*) filter (where items.health = 'warning'), 0),
    'unknown', nullif(count(*) filter (where items.health = 'unknown'), 0)))::text, '{}')::json`;

interface Parts {
  ctes: string[];
  joins: string[];
  fields: string[];
}

function changesParts(since: Date, statement: Statement): Parts {
  return {
    ctes: [
      `change_counts as (
        select config_id, count(*) as n from config_changes
         where created_at >= ${statement.param(since)}::timestamptz group by config_id
      )`,
      `group_changes as (
        select items.key, sum(change_counts.n) as n
          from change_counts join items on items.id = change_counts.config_id group by items.key
      )`,
    ],
    joins: ['left join group_changes on group_changes.key = groups.key'],
    fields: [`'changes', coalesce(group_changes.n, 0)`],
  };
}

function findingsParts(since: Date | null, statement: Statement): Parts {
  const recent =
    since === null
      ? ''
      : `and coalesce(a.last_observed, a.first_observed) >= ${statement.param(since)}::timestamptz`;
  return {
    ctes: [
      `finding_counts as (
        select items.key, a.analysis_type, count(*) as n
          from config_analysis a join items on items.id = a.config_id
         where a.status = 'open' and a.analysis_type is not null ${recent}
         group by items.key, a.analysis_type
      )`,
      `group_findings as (
        select key, json_object_agg(analysis_type, n order by analysis_type) as counts
          from finding_counts group by key
      )`,
    ],
    joins: ['left join group_findings on group_findings.key = groups.key'],
    fields: [`'analysis', group_findings.counts`],
  };
}

/** The groups as the database's own JSON text, ordered by their columns. */
export async function readCatalogSummary(db: Queryable, summary: CatalogSummary): Promise<string> {
  const statement = createStatement();
  const keys = summary.groupBy.map((key) => groupSql(key, statement));
  const where = conditions(summary, statement);
  const cost = summary.cost === null ? null : COST_COLUMNS[summary.cost];
  const changes = summary.changesSince === null ? null : changesParts(summary.changesSince, statement);
  const findings = findingsParts(summary.findingsSince, statement);
  const parts = changes === null ? [findings] : [changes, findings];
  const groupFields = summary.groupBy.map(
    (key, at) => `${statement.param(key)}::text, groups.key[${at + 1}]`,
  );
  const fields = [
    ...groupFields,
    `'count', groups.count, 'health', groups.health`,
    `'created_at', groups.created_at, 'updated_at', groups.updated_at`,
    ...(cost === null ? [] : [`'cost_${summary.cost}', groups.cost`]),
    ...parts.flatMap((part) => part.fields),
  ];
  const ctes = [
    `items as materialized (
      select c.id, array[${keys.join(', ')}]::text[] as key, c.health, c.created_at, c.updated_at,
             ${cost === null ? 'null::numeric' : `c.${cost}`} as cost
        from config_items c where ${where.length === 0 ? 'true' : where.join(' and ')}
    )`,
    `groups as (
      select items.key, count(*) as count, ${HEALTH} as health, max(items.created_at) as created_at,
             max(items.updated_at) as updated_at, coalesce(sum(items.cost), 0) as cost
        from items group by items.key
    )`,
    ...parts.flatMap((part) => part.ctes),
  ];
  const sql = `with ${ctes.join(',\n')}
    select coalesce(json_agg(json_build_object(${fields.join(', ')}) order by groups.key), '[]')::text
      from groups ${parts.flatMap((part) => part.joins).join(' ')}`;
  return (await db.text(sql, statement.params)) ?? '[]';
}
