/** The slow work around results: ageing summaries, hourly and daily sums, retention (schema §4.6). */
import type { Database } from '../../platform/db/database.ts';
import type { NudgeHub } from '../../platform/jobs/nudge-hub.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteExpiredArtifacts } from './artifact-query.ts';
import {
  ageSummaries,
  aggregateDays,
  aggregateHours,
  deleteOldResults,
  deleteRetired,
  refreshSummaries,
  statusRetentionDays,
} from './result-query.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_RETENTION_DAYS = 30;

interface MaintenanceDeps {
  db: Database;
  nudges: NudgeHub;
  platform: Platform;
  logger: Logger;
}

async function hourly(db: Database): Promise<void> {
  const days = await statusRetentionDays(db, DEFAULT_RETENTION_DAYS);
  await aggregateHours(db);
  await deleteOldResults(db, days);
  await deleteRetired(db, days);
  await deleteExpiredArtifacts(db);
}

/** Runs until the signal aborts. What fails is logged and tried again in its next turn. */
export async function runMaintenance(
  { db, nudges, platform, logger }: MaintenanceDeps,
  signal: AbortSignal,
): Promise<void> {
  // What was summed up before the server was stopped is not of the last hour any more.
  let waitMs = 0;
  const dueMs = { hourly: platform.now() + MINUTE_MS, daily: platform.now() + 2 * MINUTE_MS };
  while (!signal.aborted) {
    await platform.sleep(waitMs, signal);
    waitMs = MINUTE_MS;
    if (signal.aborted) return;
    try {
      const aged = await ageSummaries(db, MINUTE_MS);
      if (aged + (await refreshSummaries(db)) > 0) nudges.touch('checks');
      const now = platform.now();
      if (now >= dueMs.hourly) {
        dueMs.hourly = now + HOUR_MS;
        await hourly(db);
      }
      if (now >= dueMs.daily) {
        dueMs.daily = now + 24 * HOUR_MS;
        await aggregateDays(db);
      }
    } catch (error) {
      logger.error({ err: error }, 'maintenance of results failed');
    }
  }
}
