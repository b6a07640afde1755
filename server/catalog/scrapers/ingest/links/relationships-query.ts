/** SQL of soft links between items, and of which scraper told them. Sets in, sets out. */
import { z } from 'zod';
import type { Queryable } from '../../../../platform/db/database.ts';
import { toJson } from '../../../../platform/db/to-json.ts';

/** A lookup as SQL takes it; null parts are not asked for. */
export interface LookupRow {
  place: number;
  id: string | null;
  external_id: string | null;
  type: string | null;
  name: string | null;
  namespace: string | null;
  /** An agent's id or name. */
  agent: string | null;
  /** A scraper's id. */
  scope: string | null;
  labels: Readonly<Record<string, string>> | null;
}

/** What leads to the candidates. */
export type LookupBy = 'id' | 'external_id' | 'type_name' | 'name' | 'type';

const link = z.strictObject({
  config_id: z.string(),
  related_id: z.string(),
  relation: z.string(),
});
export type Link = z.infer<typeof link>;
const scrapedLink = link.extend({ is_live: z.boolean() });
const foundRow = z.strictObject({ place: z.number(), id: z.string() });

const INPUT = `json_to_recordset($1::json) as input(place integer, id uuid, external_id text, type text, name text,
  namespace text, agent text, scope uuid, labels jsonb)`;
const LINKS = `json_to_recordset($1::json) as input(config_id uuid, related_id uuid, relation text)`;

const LEADING: Readonly<Record<LookupBy, string>> = {
  id: 'item.id = input.id',
  external_id: 'item.external_id @> array[input.external_id]',
  type_name: 'item.type = input.type and item.name = input.name',
  name: 'item.name = input.name',
  type: 'item.type = input.type',
};

/** Those that an index leads to. */
const PROBED: ReadonlySet<LookupBy> = new Set(['id', 'external_id', 'type_name']);

/**
 * Live items that each lookup means; every part that is given holds. Where an index leads to the candidates, `offset 0`
 * makes it one probe a lookup; the others are joined as a whole.
 */
export async function findItems(
  tx: Queryable,
  by: LookupBy,
  lookups: readonly LookupRow[],
): Promise<{ place: number; id: string }[]> {
  if (lookups.length === 0) return [];
  const candidates = PROBED.has(by)
    ? `cross join lateral (
         select candidate.id, candidate.external_id, candidate.type, candidate.name, candidate.tags, candidate.labels,
           candidate.scraper_id, candidate.agent_id, candidate.deleted_at
         from config_items as candidate where ${LEADING[by].replaceAll('item.', 'candidate.')} offset 0
       ) as item`
    : `join config_items as item on ${LEADING[by]}`;
  return tx.rows(
    foundRow,
    `select input.place, item.id from ${INPUT}
     ${candidates}
     left join agents on agents.id = item.agent_id
     where item.deleted_at is null
       and (input.id is null or item.id = input.id)
       and (input.external_id is null or item.external_id @> array[input.external_id])
       and (input.type is null or item.type = input.type)
       and (input.name is null or item.name = input.name)
       and (input.namespace is null or item.tags ->> 'namespace' = input.namespace)
       and (input.scope is null or item.scraper_id = input.scope)
       and (input.agent is null or agents.id::text = input.agent or agents.name = input.agent)
       and (input.labels is null or item.labels @> input.labels)`,
    [toJson(lookups)],
  );
}

/** The soft links that the scraper told, and whether they still stand; of all items, or of some. */
export async function scrapedLinks(
  db: Queryable,
  scraperId: string,
  itemIds: readonly string[] | null,
): Promise<(Link & { is_live: boolean })[]> {
  return db.rows(
    scrapedLink,
    `select told.config_id, told.related_id, told.relation,
       told.deleted_at is null and link.config_id is not null and link.deleted_at is null as is_live
     from config_relationship_scrapers as told
     left join config_relationships as link on link.related_id = told.related_id
       and link.config_id = told.config_id and link.relation = told.relation
     where told.scraper_id = $1::uuid
       and ($2::uuid[] is null or told.config_id = any($2::uuid[]) or told.related_id = any($2::uuid[]))`,
    [scraperId, itemIds],
  );
}

/** Makes the links, or brings them back, and notes who told them. Links of items that are gone are left out. */
export async function addLinks(tx: Queryable, scraperId: string, links: readonly Link[]): Promise<void> {
  const both = `join config_items as one on one.id = input.config_id join config_items as other on other.id = input.related_id`;
  const input = toJson(links);
  await tx.run(
    `insert into config_relationships as link (config_id, related_id, relation, scraper_id)
     select input.config_id, input.related_id, input.relation, $2::uuid from ${LINKS} ${both}
     on conflict (related_id, config_id, relation) do update set deleted_at = null, scraper_id = excluded.scraper_id
       where link.deleted_at is not null`,
    [input, scraperId],
  );
  await tx.run(
    `insert into config_relationship_scrapers as told (config_id, related_id, relation, scraper_id)
     select input.config_id, input.related_id, input.relation, $2::uuid from ${LINKS} ${both}
     on conflict (config_id, related_id, relation, scraper_id) do update set deleted_at = null`,
    [input, scraperId],
  );
}

/** The scraper no longer tells these; those that nobody else tells are soft-deleted. */
export async function dropLinks(
  tx: Queryable,
  { scraperId, now }: { scraperId: string; now: Date },
  links: readonly Link[],
): Promise<void> {
  const input = toJson(links);
  await tx.run(
    `update config_relationship_scrapers as told set deleted_at = $3::timestamptz
     from ${LINKS} where told.config_id = input.config_id and told.related_id = input.related_id
       and told.relation = input.relation and told.scraper_id = $2::uuid and told.deleted_at is null`,
    [input, scraperId, now],
  );
  await tx.run(
    `update config_relationships as link set deleted_at = $2::timestamptz
     from ${LINKS} where link.config_id = input.config_id and link.related_id = input.related_id
       and link.relation = input.relation and link.deleted_at is null
       and not exists (
         select from config_relationship_scrapers as told
         where told.config_id = link.config_id and told.related_id = link.related_id
           and told.relation = link.relation and told.deleted_at is null)`,
    [input, now],
  );
}

/** Moves items in the tree; the hard link follows by itself. */
export async function moveItems(
  tx: Queryable,
  moves: readonly { id: string; parent_id: string | null; path: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await tx.run(
    `update config_items as item set parent_id = input.parent_id, path = input.path
     from json_to_recordset($1::json) as input(id uuid, parent_id uuid, path text)
     where item.id = input.id and (item.parent_id, item.path) is distinct from (input.parent_id, input.path)`,
    [toJson(moves)],
  );
}
