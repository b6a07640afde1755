/** SQL that finds stored items by what a source calls them. Sets in, sets out; one probe of an index for each. */
import { z } from 'zod';
import type { Queryable } from '../../../../platform/db/database.ts';
import { labelMap } from '../../../../platform/db/row-schema.ts';
import type { ExternalRef, LiveItem } from '../../specs/scraped.ts';
import { chunksOf } from '../../../../../src/lib/chunks.ts';
import { toJson } from '../../../../platform/db/to-json.ts';

/** What ingestion has to know of a stored item. */
const knownItem = z.strictObject({
  id: z.string(),
  type: z.string(),
  scraper_id: z.string().nullable(),
  external_id: z.array(z.string()).nullable(),
  is_deleted: z.boolean(),
  parent_id: z.string().nullable(),
  path: z.string().nullable(),
});
export type KnownItem = z.infer<typeof knownItem>;

const CHUNK = 500;
const KNOWN = `item.id, item.type, item.scraper_id, item.external_id, item.deleted_at is not null as is_deleted,
  item.parent_id, item.path`;

/**
 * Items of any scraper, also deleted ones, that carry one of the external ids; an empty type means any. `offset 0`
 * keeps the planner from turning the probes into one scan of the whole table.
 */
export async function findByExternalIds(db: Queryable, refs: readonly ExternalRef[]): Promise<KnownItem[]> {
  const found: KnownItem[] = [];
  for (const chunk of chunksOf(refs, CHUNK)) {
    const wanted = chunk.map(({ type, externalId }) => ({ type, external_id: externalId }));
    const rows = await db.rows(
      knownItem,
      `select known.* from json_to_recordset($1::json) as wanted(type text, external_id text)
       cross join lateral (
         select ${KNOWN} from config_items as item
         where item.external_id @> array[wanted.external_id] and (wanted.type = '' or item.type = wanted.type)
         offset 0
       ) as known`,
      [toJson(wanted)],
    );
    for (const row of rows) found.push(row);
  }
  return found;
}

/** The items of these ids, also deleted ones. */
export async function findByIds(db: Queryable, ids: readonly string[]): Promise<KnownItem[]> {
  const found: KnownItem[] = [];
  for (const chunk of chunksOf(ids, CHUNK)) {
    const rows = await db.rows(
      knownItem,
      `select ${KNOWN} from config_items as item where item.id = any($1::uuid[])`,
      [chunk],
    );
    for (const row of rows) found.push(row);
  }
  return found;
}

const descendantRow = z.strictObject({ id: z.string(), parent_id: z.string() });

/** Everything below these items, without themselves; parents come before their children. */
export async function findDescendants(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; parent_id: string }[]> {
  if (ids.length === 0) return [];
  return db.rows(
    descendantRow,
    `with recursive below as (
       select item.id, item.parent_id, 1 as depth from config_items as item where item.parent_id = any($1::uuid[])
       union
       select item.id, item.parent_id, below.depth + 1
       from below join config_items as item on item.parent_id = below.id
       where below.depth < 100
     )
     select below.id, below.parent_id from below order by below.depth`,
    [ids],
  );
}

const liveItem = z.strictObject({
  external_id: z.string(),
  api_version: z.string().nullable(),
  tags: labelMap,
});

/** A scraper's items of a type that are not deleted. */
export async function liveItemsOf(
  db: Queryable,
  { scraperId, type }: { scraperId: string; type: string },
): Promise<LiveItem[]> {
  const rows = await db.rows(
    liveItem,
    `select external_id[1] as external_id, config->>'apiVersion' as api_version, tags from config_items
     where scraper_id = $1::uuid and type = $2 and deleted_at is null and external_id[1] is not null`,
    [scraperId, type],
  );
  return rows.map((row) => ({
    externalId: row.external_id,
    apiVersion: row.api_version,
    tags: row.tags ?? {},
  }));
}
