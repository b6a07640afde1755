/** SQL of scrapers: rows of files, rows of users, refusals, removal. */
import { z } from 'zod';
import { idRow } from '../../../platform/db/row-schema.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { toJson } from '../../../platform/db/to-json.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;
/** Rows that no file of this server's stands behind. */
const NOT_OF_FILE = 'not exists (select 1 from scraper_files where scraper_id = config_scrapers.id)';

/** Holds others that save scrapers of files until this transaction ends: rows have no unique name. */
export async function lockFileScrapers(tx: Queryable): Promise<void> {
  await tx.text(`select pg_advisory_xact_lock(hashtext('holdfast: scrapers of files'))::text`);
}

interface FileSource {
  /** `namespace/name` */
  name: string;
  source: string;
}

/** The row of a file's scraper: made, or brought in line with its specification. Call under the lock. */
export async function saveFileScraper(tx: Queryable, place: FileSource, spec: unknown): Promise<string> {
  const known = await fileScraper(tx, place);
  if (known === null) return insertFileScraper(tx, place, spec);
  await tx.run(
    `update config_scrapers set spec = $2::jsonb where id = $1 and spec is distinct from $2::jsonb`,
    [known, toJson(spec)],
  );
  return known;
}

/** The row of a scraper that was refused: what it was before, else an empty one that can be shown. */
export async function ensureRefusedScraper(tx: Queryable, place: FileSource): Promise<string> {
  return (await fileScraper(tx, place)) ?? insertFileScraper(tx, place, {});
}

const fileScraperRow = z.strictObject({ id: z.string(), file: z.string().nullable() });

/** One of this file; else one of a file that is not known here any more, as after an import. */
async function fileScraper(tx: Queryable, { name, source }: FileSource): Promise<string | null> {
  const [row] = await tx.rows(
    fileScraperRow,
    `select id, file from config_scrapers left join scraper_files on scraper_id = id
     where name = $1 and source = 'ConfigFile' and deleted_at is null and agent_id = ${NIL}
       and (file = $2 or file is null)
     order by file nulls last limit 1`,
    [name, source],
  );
  if (row?.file === null) await noteFile(tx, row.id, source);
  return row?.id ?? null;
}

async function noteFile(tx: Queryable, id: string, file: string): Promise<void> {
  await tx.run('insert into scraper_files (scraper_id, file) values ($1, $2)', [id, file]);
}

async function insertFileScraper(tx: Queryable, place: FileSource, spec: unknown): Promise<string> {
  const [row] = await tx.rows(
    idRow,
    `insert into config_scrapers (name, source, spec) values ($1, 'ConfigFile', $2::jsonb) returning id`,
    [place.name, toJson(spec)],
  );
  const id = row?.id ?? '';
  await noteFile(tx, id, place.source);
  return id;
}

/** Live scrapers of a file. */
export async function scrapersOfSource(db: Queryable, file: string): Promise<string[]> {
  const rows = await db.rows(
    idRow,
    `select id from config_scrapers join scraper_files on scraper_id = id
     where file = $1 and deleted_at is null and agent_id = ${NIL}`,
    [file],
  );
  return rows.map(({ id }) => id);
}

const sourceRow = z.strictObject({ file: z.string() });

/** Files that live scrapers came from. */
export async function scraperSources(db: Queryable): Promise<string[]> {
  const rows = await db.rows(
    sourceRow,
    `select distinct file from scraper_files join config_scrapers on id = scraper_id
     where deleted_at is null and agent_id = ${NIL}`,
  );
  return rows.map(({ file }) => file);
}

/** Soft-deletes scrapers; their items follow by trigger. */
export async function deleteScrapers(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(
    `update config_scrapers set deleted_at = now() from json_to_recordset($1::json) as gone(id uuid)
     where config_scrapers.id = gone.id and config_scrapers.deleted_at is null`,
    [toJson(ids.map((id) => ({ id })))],
  );
}

const storedScraper = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Of its own column; the name may have one, too. */
  namespace: z.string().nullable(),
  /** With sealed values in their places, and where each belongs (migration 0034). */
  spec: z.unknown(),
  sealed: z.record(z.string(), z.string()),
  /** Written last by somebody who may write connections (migration 0020). */
  is_granted: z.boolean(),
  /** Runs only when somebody asks for it (migration 0095). */
  is_paused: z.boolean(),
});
export type StoredScraper = z.infer<typeof storedScraper>;

/** Live scrapers of this server that are kept in the database, by whichever writer. */
export async function databaseScrapers(db: Queryable): Promise<StoredScraper[]> {
  return db.rows(
    storedScraper,
    `select id, name, namespace, is_paused, opened_spec(id, spec) as spec, sealed_values(id) as sealed,
       exists (select 1 from granted_specs where row_id = config_scrapers.id) as is_granted
     from config_scrapers
     where deleted_at is null and agent_id = ${NIL} and ${NOT_OF_FILE} order by id`,
  );
}

const markRow = z.strictObject({ mark: z.string() });

/** Changes whenever one of them is added, changed or removed. */
export async function databaseMark(db: Queryable): Promise<string> {
  const [row] = await db.rows(
    markRow,
    `select count(*) || ' ' || coalesce(max(updated_at)::text, '') || ' ' || coalesce(max(deleted_at)::text, '')
       || ' ' || coalesce(max(created_at)::text, '')
       || ' ' || (select count(*) || ' ' || coalesce(max(granted_at)::text, '') from granted_specs) as mark
     from config_scrapers where agent_id = ${NIL} and ${NOT_OF_FILE}`,
  );
  return row?.mark ?? '';
}

/** True for a live scraper, whoever runs it. */
export async function isKnownScraper(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.rows(idRow, 'select id from config_scrapers where id = $1 and deleted_at is null', [
    id,
  ]);
  return rows.length > 0;
}
