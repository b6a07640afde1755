/** For tests: what was in the catalog before a run, as the end-to-end fixtures of scrapers write it down. */
import { z } from 'zod';
import type { Queryable } from '../../../../platform/db/database.ts';
import { itemIdOf } from '../items/item-identity.ts';
import { NO_AGENT } from './scraped.ts';

interface PopulatedConfig {
  config_class: string;
  type: string;
  name?: string;
  external_id: string[];
  /** JSON text. */
  config: string;
  deterministic_id?: boolean;
}

interface PopulatedRelationship {
  config_external_id: string;
  related_external_id: string;
  relation?: string;
  owner: 'current' | 'other';
  deleted?: boolean;
}

export interface PrePopulate {
  configs?: PopulatedConfig[];
  config_relationships?: PopulatedRelationship[];
}

/** Stores the items of a scraper, and links that it and another one told. */
export async function prePopulate(
  db: Queryable,
  { scraperId, otherScraperId }: { scraperId: string; otherScraperId: string },
  { configs = [], config_relationships: links = [] }: PrePopulate,
): Promise<void> {
  const idByName = new Map<string, string>();
  for (const config of configs) {
    const { type, external_id: externalIds } = config;
    const externalId = externalIds[0] ?? '';
    const id =
      config.deterministic_id === true
        ? itemIdOf({ scraperId, type, externalId }, 0)
        : ((await db.text('select gen_random_uuid()::text')) ?? '');
    idByName.set(externalId, id);
    await db.run(
      `insert into config_items (id, scraper_id, agent_id, config_class, type, name, external_id, config, path)
       values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, '')`,
      [
        id,
        scraperId,
        NO_AGENT,
        config.config_class,
        type,
        config.name ?? externalId,
        externalIds,
        config.config,
      ],
    );
  }
  for (const link of links) {
    const ends = [
      idByName.get(link.config_external_id) ?? '',
      idByName.get(link.related_external_id) ?? '',
      link.relation ?? '',
    ];
    const isDeleted = link.deleted === true;
    await db.run(
      `insert into config_relationships (config_id, related_id, relation, deleted_at)
       values ($1, $2, $3, case when $4 then now() end)
       on conflict (related_id, config_id, relation) do update set
         deleted_at = case when $4 then config_relationships.deleted_at end`,
      [...ends, isDeleted],
    );
    await db.run(
      `insert into config_relationship_scrapers (config_id, related_id, relation, scraper_id, deleted_at)
       values ($1, $2, $3, $4, case when $5 then now() end)`,
      [...ends, link.owner === 'current' ? scraperId : otherScraperId, isDeleted],
    );
  }
}

/** How many links a scraper tells; with `deleted`, also how many it told once. */
export async function countLinks(db: Queryable, scraperId: string, deleted = false): Promise<number> {
  const [row] = await db.rows(
    z.custom<{ count: number }>(),
    `select count(*)::integer as count from config_relationship_scrapers
     where scraper_id = $1 and ($2 or deleted_at is null)`,
    [scraperId, deleted],
  );
  return row?.count ?? 0;
}
