/** When scrapers ran last, by the database's clock. Who runs one now stands in leases. */
import { z } from 'zod';
import type { Queryable } from '../../../platform/db/database.ts';

const begunRow = z.strictObject({ scraper_id: z.string() });

/**
 * Notes that a run begins, unless the last one began less than `minAgeMs` ago and after the specification was changed;
 * false then. One that began in the future did so before the clock was set back.
 */
export async function beginRun(
  db: Queryable,
  run: { scraperId: string; minAgeMs: number },
): Promise<boolean> {
  const rows = await db.rows(
    begunRow,
    `insert into scraper_runs (scraper_id, started_at) values ($1, clock_timestamp())
     on conflict (scraper_id) do update set started_at = excluded.started_at
     where scraper_runs.started_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
       or scraper_runs.started_at > clock_timestamp()
       or scraper_runs.started_at <= (
         select coalesce(updated_at, created_at) from config_scrapers where id = scraper_runs.scraper_id)
     returning scraper_id`,
    [run.scraperId, run.minAgeMs],
  );
  return rows.length > 0;
}

/** A run that went well is what the next one's `lastRun` is. */
export async function noteGoodRun(db: Queryable, scraperId: string): Promise<void> {
  await db.run('update scraper_runs set last_good_at = started_at where scraper_id = $1', [scraperId]);
}

const lastRunRow = z.strictObject({ id: z.string(), at: z.string() });

/** When each scraper was run last, in ms. */
export async function lastRunsOf(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows(lastRunRow, 'select scraper_id as id, started_at as at from scraper_runs');
  return new Map(rows.map(({ id, at }) => [id, Date.parse(at)]));
}

const goodRunRow = z.strictObject({ at: z.string().nullable() });

/** When the last run that went well began. */
export async function lastGoodRun(db: Queryable, scraperId: string): Promise<Date | null> {
  const [row] = await db.rows(
    goodRunRow,
    'select last_good_at as at from scraper_runs where scraper_id = $1',
    [scraperId],
  );
  return row?.at == null ? null : new Date(row.at);
}
