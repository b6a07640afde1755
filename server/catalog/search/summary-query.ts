/** Config items counted by group, as one statement (schema §5.4). */
import type { MatchList } from '../../../src/domain/match-list.ts';
import { createStatement } from '../../replication/data-api/statement/statement-query.ts';
import type { Statement } from '../../replication/data-api/statement/statement-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { listConditions } from './filter-query.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

export const COST_COLUMNS = {
  '1d': 'cost_total_1d',
  '7d': 'cost_total_7d',
  '30d': 'cost_total_30d',
} as const;
export type CostWindow = keyof typeof COST_COLUMNS;

/** Group keys that are columns; every other key is a tag. */
const GROUP_COLUMNS = lookupTable<string>({
  type: 'c.type',
  config_class: 'c.config_class',
  name: 'c.name',
});

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
  return GROUP_COLUMNS[key] ?? `(c.tags ->> ${statement.param(key)}::text)`;
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
    'healthy', nullif(count(*) filter (where c.health = 'healthy'), 0),
    'unhealthy', nullif(count(*) filter (where c.health = 'unhealthy'), 0),
    'warning', nullif(count(*) filter (where c.health = 'warning'), 0),
    'unknown', nullif(count(*) filter (where c.health = 'unknown'), 0)))::text, '{}')::json`;

/** The open findings of each group; few items have any, so this is a small table joined by its whole key. */
function findingsSql(
  part: { keys: string; where: string; since: Date | null },
  statement: Statement,
): string {
  const recent =
    part.since === null
      ? ''
      : `and coalesce(a.last_observed, a.first_observed) >= ${statement.param(part.since)}::timestamptz`;
  return `
    select key, json_object_agg(analysis_type, n order by analysis_type) as counts from (
      select array[${part.keys}]::text[] as key, a.analysis_type, count(*) as n
        from config_analysis a join config_items c on c.id = a.config_id
       where a.status = 'open' and a.analysis_type is not null ${recent} and ${part.where}
       group by 1, 2
    ) counted group by key`;
}

/** Changes are counted by item before they meet the items: one row an item, whatever its history. */
function changesJoin(since: Date | null, statement: Statement): string {
  if (since === null) return '';
  return `left join (
      select config_id, count(*) as n from config_changes
       where created_at >= ${statement.param(since)}::timestamptz group by config_id
    ) changed on changed.config_id = c.id`;
}

const COUNTED = ['configs', 'config_changes', 'config_insights'] as const;

/**
 * The newest number of a collection. Asked as a range, because with an equality the planner may walk the index of
 * all numbers backwards, past everything newer of other collections.
 */
const newestOf = (collection: (typeof COUNTED)[number]) =>
  `(select seq from change_log where collection >= '${collection}' and collection <= '${collection}'
     order by collection desc, seq desc limit 1)`;

/**
 * Where the catalog stands: changes whenever something did that a summary counts. Times that move and columns that
 * no device hears of are left out.
 */
export async function readCatalogCursor(db: Queryable): Promise<string> {
  return (await db.text(`select concat_ws('.', ${COUNTED.map(newestOf).join(', ')})`)) ?? '';
}

/** The groups as the database's own JSON text, ordered by their columns. */
export async function readCatalogSummary(db: Queryable, summary: CatalogSummary): Promise<string> {
  const statement = createStatement();
  const keys = summary.groupBy.map((key) => groupSql(key, statement));
  const where = conditions(summary, statement).join(' and ') || 'true';
  const cost = summary.cost === null ? null : COST_COLUMNS[summary.cost];
  const join = changesJoin(summary.changesSince, statement);
  const findings = findingsSql({ keys: keys.join(', '), where, since: summary.findingsSince }, statement);
  const places = keys.map((_key, at) => at + 1);
  const fields = [
    ...summary.groupBy.map((key, at) => `${statement.param(key)}::text, groups.k${at + 1}`),
    `'count', groups.count, 'health', groups.health`,
    `'created_at', groups.created_at, 'updated_at', groups.updated_at`,
    ...(cost === null ? [] : [`'cost_${summary.cost}', groups.cost`]),
    ...(join === '' ? [] : [`'changes', groups.changes`]),
    `'analysis', findings.counts`,
  ];
  const columns = places.map((place) => `groups.k${place}`).join(', ');
  const sql = `
    with groups as materialized (
      select ${keys.map((key, at) => `${key} as k${at + 1}`).join(', ')},
             count(*) as count, ${HEALTH} as health,
             max(c.created_at) as created_at, max(c.updated_at) as updated_at
             ${cost === null ? '' : `, coalesce(sum(c.${cost}), 0) as cost`}
             ${join === '' ? '' : ', coalesce(sum(changed.n), 0) as changes'}
        from config_items c ${join}
       where ${where} group by ${places.join(', ')}
    ), findings as materialized (${findings})
    select coalesce(json_agg(json_build_object(${fields.join(', ')}) order by ${columns}), '[]')::text
      from groups left join findings on findings.key = array[${columns}]::text[]`;
  return (await db.text(sql, statement.params)) ?? '[]';
}
