/** SQL of the canaries and scrapers that an agent has from upstream. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { UPSTREAM_SCRAPER_SOURCE, UPSTREAM_SOURCE } from './outgoing-query.ts';
import type { PulledCanary, PulledScraper } from './upstream-client.ts';
import { toJson } from '../../platform/db/to-json.ts';

const knownCanary = z.strictObject({
  id: z.string(),
  name: z.string(),
  namespace: z.string(),
  labels: z.unknown(),
  annotations: z.unknown(),
  /** With sealed values in their places, and where each belongs (migration 0034). */
  spec: z.unknown(),
  sealed: z.record(z.string(), z.string()),
});
export type KnownCanary = z.infer<typeof knownCanary>;

/** Those that run. */
export function knownCanaries(db: Queryable): Promise<KnownCanary[]> {
  return db.rows(
    knownCanary,
    `select id::text, name, namespace, labels, annotations, opened_spec(id, spec) as spec, sealed_values(id) as sealed
     from canaries where source = $1 and deleted_at is null`,
    [UPSTREAM_SOURCE],
  );
}

const CANARY_COLUMNS = `json_to_recordset($1::json) as input(id uuid, name text, namespace text, labels jsonb, annotations jsonb,
  spec jsonb)`;

/** Writes them as upstream has them. Two statements: an upsert's insert would keep a spec's secrets in any case. */
export async function storePulled(tx: Queryable, canaries: readonly PulledCanary[]): Promise<void> {
  const rows = toJson(canaries);
  await tx.run(
    `update canaries set name = input.name, namespace = input.namespace, labels = input.labels,
       annotations = input.annotations, spec = input.spec, updated_at = now(), deleted_at = null
     from ${CANARY_COLUMNS} where canaries.id = input.id and canaries.source = $2`,
    [rows, UPSTREAM_SOURCE],
  );
  await tx.run(
    `insert into canaries (id, name, namespace, labels, annotations, spec, source)
     select input.id, input.name, input.namespace, input.labels, input.annotations, input.spec, $2
     from ${CANARY_COLUMNS} where not exists (select from canaries where canaries.id = input.id)`,
    [rows, UPSTREAM_SOURCE],
  );
}

/** Soft-deletes those that upstream no longer has; their checks follow by trigger. */
export async function removePulled(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    'update canaries set deleted_at = now() where source = $2 and id = any($1::uuid[]) and deleted_at is null',
    [ids, UPSTREAM_SOURCE],
  );
}

const knownScraper = z.strictObject({
  id: z.string(),
  name: z.string(),
  namespace: z.string().nullable(),
  description: z.string().nullable(),
  spec: z.unknown(),
  sealed: z.record(z.string(), z.string()),
});
export type KnownScraper = z.infer<typeof knownScraper>;

/** Those that run. */
export function knownScrapers(db: Queryable): Promise<KnownScraper[]> {
  return db.rows(
    knownScraper,
    `select id::text, name, namespace, description, opened_spec(id, spec) as spec, sealed_values(id) as sealed
     from config_scrapers where source = $1::text::source and deleted_at is null`,
    [UPSTREAM_SCRAPER_SOURCE],
  );
}

const SCRAPER_COLUMNS = `json_to_recordset($1::json) as input(id uuid, name text, namespace text, description text, spec jsonb)`;

/** Writes them as upstream has them. */
export async function storePulledScrapers(tx: Queryable, scrapers: readonly PulledScraper[]): Promise<void> {
  const rows = toJson(scrapers);
  await tx.run(
    `update config_scrapers set name = input.name, namespace = input.namespace, description = input.description,
       spec = input.spec, updated_at = now(), deleted_at = null
     from ${SCRAPER_COLUMNS} where config_scrapers.id = input.id and config_scrapers.source = $2::text::source`,
    [rows, UPSTREAM_SCRAPER_SOURCE],
  );
  await tx.run(
    `insert into config_scrapers (id, name, namespace, description, spec, source)
     select input.id, input.name, input.namespace, input.description, input.spec, $2::text::source
     from ${SCRAPER_COLUMNS} where not exists (select from config_scrapers where config_scrapers.id = input.id)`,
    [rows, UPSTREAM_SCRAPER_SOURCE],
  );
}

/** Soft-deletes those that upstream no longer has; their items follow by trigger. */
export async function removePulledScrapers(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    `update config_scrapers set deleted_at = now()
     where source = $2::text::source and id = any($1::uuid[]) and deleted_at is null`,
    [ids, UPSTREAM_SCRAPER_SOURCE],
  );
}

/** Those of the ids that are this agent's own, made here: upstream has them from here. */
export async function ownAmong(
  db: Queryable,
  table: 'canaries' | 'config_scrapers',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(
    z.strictObject({ id: z.string() }),
    `select id::text from ${table} where id = any($1::uuid[]) and source::text is distinct from $2`,
    [ids, table === 'canaries' ? UPSTREAM_SOURCE : UPSTREAM_SCRAPER_SOURCE],
  );
  return new Set(rows.map(({ id }) => id));
}
