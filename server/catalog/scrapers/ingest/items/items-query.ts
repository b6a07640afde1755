/** SQL that compares and writes the items of a batch. Statements take whole sets; call them inside a transaction. */
import { z } from 'zod';
import type { Queryable } from '../../../../platform/db/database.ts';
import type { ItemFields } from './accept-items.ts';
import { toJson } from '../../../../platform/db/to-json.ts';

/** A row of config_items as a scrape knows it. */
export interface ItemRow extends ItemFields {
  id: string;
  parent_id: string | null;
  path: string;
}

/** How a stored item differs from what was scraped. */
const comparison = z.strictObject({
  id: z.string(),
  /** Anything but the document. */
  is_changed: z.boolean(),
  is_config_changed: z.boolean(),
  was_deleted: z.boolean(),
  old_health: z.string().nullable(),
  /** Only where it differs. */
  old_config: z.unknown(),
});
export type Comparison = z.infer<typeof comparison>;

/** Who scraped, and when. */
export interface WriteContext {
  scraperId: string;
  agentId: string;
  now: Date;
}

const COLUMNS = [
  ['external_id', 'text[]'],
  ['type', 'text'],
  ['config_class', 'text'],
  ['name', 'text'],
  ['status', 'text'],
  ['health', 'text'],
  ['ready', 'boolean'],
  ['description', 'text'],
  ['icon', 'text'],
  ['labels', 'jsonb'],
  ['tags', 'jsonb'],
  ['properties', 'jsonb'],
  ['source', 'text'],
  ['deleted_at', 'timestamptz'],
  ['delete_reason', 'text'],
  ['parent_id', 'uuid'],
  ['path', 'text'],
] as const;
/** A source that says nothing about these leaves them as they are. */
const KEPT = [
  ['created_at', 'timestamptz'],
  ['cost_per_minute', 'numeric(16, 4)'],
  ['cost_total_1d', 'numeric(16, 4)'],
  ['cost_total_7d', 'numeric(16, 4)'],
  ['cost_total_30d', 'numeric(16, 4)'],
] as const;

const INPUT = `json_to_recordset($1::json) as input(id uuid, config jsonb,
  ${[...COLUMNS, ...KEPT].map(([name, type]) => `${name} ${type}`).join(', ')})`;

const plain = (table: string) => COLUMNS.map(([name]) => `${table}.${name}`);
const kept = KEPT.map(([name]) => `coalesce(input.${name}, item.${name})`);
const stored = [...plain('item'), ...KEPT.map(([name]) => `item.${name}`)].join(', ');
const scraped = [...plain('input'), ...kept].join(', ');

const scrapeRow = z.strictObject({ config_id: z.string(), hash: z.string() });

/** Of these items, what they looked like when they were scraped last, where nobody changed them since. */
export async function findScrapes(
  tx: Queryable,
  ids: readonly string[],
): Promise<{ config_id: string; hash: string }[]> {
  if (ids.length === 0) return [];
  return tx.rows(
    scrapeRow,
    `select scrape.config_id, scrape.hash from config_item_scrapes as scrape where scrape.config_id = any($1::uuid[])`,
    [ids],
  );
}

/** Notes what items look like now; after they were written. */
export async function noteScrapes(
  tx: Queryable,
  scrapes: readonly { id: string; hash: string }[],
): Promise<void> {
  if (scrapes.length === 0) return;
  await tx.run(
    `insert into config_item_scrapes (config_id, hash)
     select input.id, input.hash from json_to_recordset($1::json) as input(id uuid, hash text)
     on conflict (config_id) do update set hash = excluded.hash`,
    [toJson(scrapes)],
  );
}

/** Of those that are stored already; their rows stay locked until the transaction ends. */
export async function compareItems(tx: Queryable, rows: readonly ItemRow[]): Promise<Comparison[]> {
  return tx.rows(
    comparison,
    `select item.id, (${stored}) is distinct from (${scraped}) as is_changed,
       item.config is distinct from input.config as is_config_changed,
       item.deleted_at is not null as was_deleted, item.health as old_health,
       case when item.config is distinct from input.config then item.config end as old_config
     from ${INPUT} join config_items as item on item.id = input.id
     order by item.id
     for update of item`,
    [toJson(rows)],
  );
}

/** With the ids that the run has given them. */
export async function insertItems(
  tx: Queryable,
  rows: readonly ItemRow[],
  { scraperId, agentId, now }: WriteContext,
): Promise<void> {
  if (rows.length === 0) return;
  const names = COLUMNS.map(([name]) => name);
  await tx.run(
    `insert into config_items (id, config, ${names.join(', ')}, created_at,
       cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, scraper_id, agent_id, last_scraped_time)
     select input.id, input.config, ${plain('input').join(', ')}, coalesce(input.created_at, $4::timestamptz),
       input.cost_per_minute, input.cost_total_1d, input.cost_total_7d, input.cost_total_30d, $2::uuid, $3::uuid,
       $4::timestamptz
     from ${INPUT}`,
    [toJson(rows), scraperId, agentId, now],
  );
}

/** Columns that the source says nothing about stay as they are. */
export async function updateItems(
  tx: Queryable,
  rows: readonly ItemRow[],
  { scraperId, now }: Pick<WriteContext, 'scraperId' | 'now'>,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update config_items as item set config = input.config,
       ${COLUMNS.map(([name]) => `${name} = input.${name}`).join(', ')},
       ${KEPT.map(([name]) => `${name} = coalesce(input.${name}, item.${name})`).join(', ')},
       scraper_id = $2::uuid, last_scraped_time = $3::timestamptz
     from ${INPUT} where item.id = input.id`,
    [toJson(rows), scraperId, now],
  );
}

/** The one column that says that an item was seen; readers of the change log aren't told of it. */
export async function markSeen(tx: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(`update config_items set last_scraped_time = $2::timestamptz where id = any($1::uuid[])`, [
    ids,
    now,
  ]);
}
