/**
 * Who runs a scraper now. Several servers may work on one database: a run is claimed in one statement, and the
 * claim is renewed while it lasts, so that a server that is gone holds nothing for long.
 */
import type { Queryable } from '../../../platform/db/database.ts';

/** How long a claim holds without being renewed. */
const HELD = "interval '60 seconds'";
export const RENEW_EVERY_MS = 20_000;

/**
 * Claims a run: none may be going on, and unless it is asked for by a person, the last one must have begun
 * `minAgeMs` ago, or before the specification was changed. `startedAt` is now by the database's clock.
 */
export async function claimRun(
  db: Queryable,
  claim: { scraperId: string; runId: string; minAgeMs: number },
): Promise<boolean> {
  const rows = await db.rows<{ scraper_id: string }>(
    `insert into scraper_runs (scraper_id, run_id, started_at, claimed_until)
     values ($1, $2, clock_timestamp(), clock_timestamp() + ${HELD})
     on conflict (scraper_id) do update set
       run_id = excluded.run_id, started_at = excluded.started_at, claimed_until = excluded.claimed_until
     where scraper_runs.claimed_until <= clock_timestamp()
       and (scraper_runs.started_at <= clock_timestamp() - make_interval(secs => $3::float8 / 1000)
         or scraper_runs.started_at <= (
           select coalesce(updated_at, created_at) from config_scrapers where id = scraper_runs.scraper_id))
     returning scraper_id`,
    [claim.scraperId, claim.runId, claim.minAgeMs],
  );
  return rows.length > 0;
}

/** False when somebody else has it: this run took too long to be renewed. */
export async function renewClaim(db: Queryable, scraperId: string, runId: string): Promise<boolean> {
  const renewed = await db.run(
    `update scraper_runs set claimed_until = clock_timestamp() + ${HELD} where scraper_id = $1 and run_id = $2`,
    [scraperId, runId],
  );
  return renewed > 0;
}

/** Gives the claim back; a run that went well is what the next one's `lastRun` is. */
export async function releaseClaim(
  tx: Queryable,
  claim: { scraperId: string; runId: string; wentWell: boolean },
): Promise<void> {
  await tx.run(
    `update scraper_runs set claimed_until = clock_timestamp(),
       last_good_at = case when $3::boolean then started_at else last_good_at end
     where scraper_id = $1 and run_id = $2`,
    [claim.scraperId, claim.runId, claim.wentWell],
  );
}

/** When the last run that went well began. */
export async function lastGoodRun(db: Queryable, scraperId: string): Promise<Date | null> {
  const [row] = await db.rows<{ at: string | null }>(
    'select last_good_at as at from scraper_runs where scraper_id = $1',
    [scraperId],
  );
  return row?.at == null ? null : new Date(row.at);
}
