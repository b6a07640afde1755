/** The search over config changes as one statement: counts over everything found, rows of one page. */
import type { LabelRequirement } from '../../../src/domain/label-selector.ts';
import type { MatchList } from '../../../src/domain/match-list.ts';
import { createStatement } from '../../replication/data-api/statement/statement-query.ts';
import type { Statement } from '../../replication/data-api/statement/statement-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { labelConditions, listConditions } from './filter-query.ts';

export const SORT_COLUMNS = {
  name: 'c.name',
  change_type: 'cc.change_type',
  summary: 'cc.summary',
  source: 'cc.source',
  created_at: 'cc.created_at',
  count: 'cc.count',
} as const;
export type SortColumn = keyof typeof SORT_COLUMNS;

export type Reach = 'none' | 'downstream' | 'upstream' | 'all';

/** Columns that a match list may filter; `created_by` looks at the person's id and at the foreign name. */
const LIST_COLUMNS = {
  id: ['cc.config_id::text'],
  configType: ['c.type'],
  changeType: ['cc.change_type'],
  severity: ['cc.severity'],
  source: ['cc.source'],
  summary: ['cc.summary'],
  createdBy: ['cc.created_by::text', 'cc.external_created_by'],
  externalCreatedBy: ['cc.external_created_by'],
  agent: ['c.agent_id::text'],
} as const;
export type ListField = keyof typeof LIST_COLUMNS;
const ITEM_FIELDS: readonly ListField[] = ['configType', 'agent'];
const NO_LIST: MatchList = { wanted: [], refused: [] };

export interface ChangesSearch {
  /** One config and what is related to it; null looks at all. */
  around: { configId: string; reach: Reach; depth: number; isSoftToo: boolean } | null;
  lists: Partial<Record<ListField, MatchList>>;
  tags: readonly LabelRequirement[];
  /** A moment, to the microsecond; `isAfter` leaves out what happened right then. */
  from: { at: string; isAfter: boolean } | null;
  to: string | null;
  isDeletedToo: boolean;
  sort: { column: SortColumn; isDescending: boolean };
  limit: number;
  offset: number;
}

/** One step along live links: downstream from config to related, upstream back. */
function walk(
  name: string,
  direction: 'downstream' | 'upstream',
  seed: { id: string; depth: string; links: string },
) {
  const [here, there] =
    direction === 'downstream' ? ['config_id', 'related_id'] : ['related_id', 'config_id'];
  return `${name}(id, depth) as (
    select ${seed.id}::uuid, 0
    union
    select link.${there}, step.depth + 1
      from ${name} step join config_relationships link on link.${here} = step.id
     where link.deleted_at is null and step.depth < ${seed.depth} and ${seed.links}
  )`;
}

/** The configs whose changes count: along hard links; `all` takes every link, `soft` the config's own ones too. */
function reachSql(around: NonNullable<ChangesSearch['around']>, statement: Statement): string {
  const id = statement.param(around.configId);
  // A parameter that no walk uses would have no type.
  const depth = around.reach === 'none' ? '0' : `${statement.param(around.depth)}::int`;
  const links = around.reach === 'all' ? 'true' : `link.relation = 'hard'`;
  const walks = (['downstream', 'upstream'] as const)
    .filter((direction) => around.reach === direction || around.reach === 'all')
    .map((direction) => ({
      name: `${direction}_ids`,
      sql: walk(`${direction}_ids`, direction, { id, depth, links }),
    }));
  const sources = [
    `select ${id}::uuid as id`,
    ...walks.map(({ name }) => `select id from ${name}`),
    ...(around.isSoftToo
      ? [
          `select related_id from config_relationships
            where config_id = ${id}::uuid and deleted_at is null and relation is distinct from 'hard'`,
        ]
      : []),
  ];
  return [...walks.map(({ sql }) => sql), `reached as (${sources.join(' union ')})`].join(',\n');
}

/** What is asked of the items; without any of it, and sorted by the change alone, no item has to be looked at. */
function itemConditions(search: ChangesSearch, statement: Statement): string[] {
  const lists = ITEM_FIELDS.flatMap((field) =>
    listConditions(LIST_COLUMNS[field], search.lists[field] ?? NO_LIST, statement),
  );
  return [...lists, ...labelConditions('c.tags', search.tags, statement)];
}

function changeConditions(search: ChangesSearch, statement: Statement): string[] {
  const lists = (Object.entries(search.lists) as [ListField, MatchList][]).filter(
    ([field]) => !ITEM_FIELDS.includes(field),
  );
  return [
    // Deleted items are few, and an index lists them.
    ...(search.isDeletedToo
      ? []
      : ['cc.config_id not in (select id from config_items where deleted_at is not null)']),
    ...(search.around === null ? [] : ['cc.config_id in (select id from reached)']),
    ...(search.from === null
      ? []
      : [
          `cc.created_at ${search.from.isAfter ? '>' : '>='} ${statement.param(search.from.at)}::timestamptz`,
        ]),
    ...(search.to === null ? [] : [`cc.created_at <= ${statement.param(search.to)}::timestamptz`]),
    ...lists.flatMap(([field, list]) => listConditions(LIST_COLUMNS[field], list, statement)),
  ];
}

const ROW = `cc.id, c.agent_id, cc.external_change_id, cc.config_id, cc.change_type, cc.severity,
  cc.source, nullif(cc.summary, '') as summary, cc.created_at, cc.count, cc.first_observed, c.name, c.type,
  nullif(c.tags, '{}'::jsonb) as tags, cc.created_by, nullif(cc.external_created_by, '') as external_created_by`;

/**
 * Whether all changes of a time are asked for, in its order: then an index has the page, and counting them beside is
 * less work than to keep them all for both.
 */
function isPlain({ around, lists, tags, sort }: ChangesSearch): boolean {
  return (
    around === null && Object.keys(lists).length === 0 && tags.length === 0 && sort.column === 'created_at'
  );
}

/**
 * The answer as the database's own JSON text; `{}` when nothing is found (contract §6.5). The summary counts
 * everything that is found, not only the page.
 */
export async function searchChanges(db: Queryable, search: ChangesSearch): Promise<string> {
  const statement = createStatement();
  const reach = search.around === null ? [] : [reachSql(search.around, statement)];
  const ofItem = itemConditions(search, statement);
  const where = [...changeConditions(search, statement), ...ofItem];
  const isItemNeeded = ofItem.length > 0 || search.sort.column === 'name';
  // Never null, and its index is in the order that comes without a word about them.
  const [up, down] = search.sort.column === 'created_at' ? ['', ''] : [' nulls first', ' nulls last'];
  const direction = search.sort.isDescending ? `desc${down}` : `asc${up}`;
  const order = (key: string, id: string) =>
    `${key} ${direction}, ${id} ${search.sort.isDescending ? 'desc' : 'asc'}`;
  const sql = `
    with recursive ${[
      ...reach,
      `found as ${isPlain(search) ? 'not ' : ''}materialized (
        select cc.id, cc.change_type, ${SORT_COLUMNS[search.sort.column]} as sort_key
          from config_changes cc ${isItemNeeded ? 'join config_items c on c.id = cc.config_id' : ''}
         where ${where.length === 0 ? 'true' : where.join(' and ')}
      )`,
      `page as (
        select found.id, found.sort_key from found
         order by ${order('found.sort_key', 'found.id')}
         limit ${statement.param(search.limit)}::int offset ${statement.param(search.offset)}::bigint
      )`,
      `page_rows as (
        select page.sort_key, json_strip_nulls(to_json(r)) as value, page.id
          from page cross join lateral (
            select ${ROW} from config_changes cc join config_items c on c.id = cc.config_id where cc.id = page.id
          ) r
      )`,
      `counts as (select coalesce(change_type, '') as change_type, count(*) as n from found group by 1)`,
    ].join(',\n')}
    select json_strip_nulls(json_build_object(
      'summary', (select json_object_agg(change_type, n order by change_type) from counts),
      'total', (select sum(n) from counts),
      'changes', (select json_agg(value order by ${order('sort_key', 'id')}) from page_rows)
    ))::text`;
  return (await db.text(sql, statement.params)) ?? '{}';
}
