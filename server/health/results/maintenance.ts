/** The slow work around results: ageing summaries, hourly and daily sums, retention (schema §4.6). */
import type { Database } from '../../platform/db/database.ts';
import { runLoop, type LoopDeps } from '../../platform/jobs/background-loop.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
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

/** So often a hundred summaries are computed anew: a thousand a minute. */
const AGE_EVERY_MS = 6000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_RETENTION_DAYS = 30;

interface MaintenanceDeps extends LoopDeps {
  db: Database;
  notifier: ChangeNotifier;
  leases: Pick<Leases, 'role'>;
}

async function hourly(db: Database): Promise<void> {
  const days = await statusRetentionDays(db, DEFAULT_RETENTION_DAYS);
  await aggregateHours(db);
  await deleteOldResults(db, days);
  await deleteRetired(db, days);
  await deleteExpiredArtifacts(db);
}

/** Runs until the signal aborts, on one of the servers of the database. */
export function runMaintenance(deps: MaintenanceDeps, signal: AbortSignal): Promise<void> {
  const { db, notifier, leases, platform } = deps;
  const startMs = platform.now();
  const dueMs = { minutely: startMs, hourly: startMs + MINUTE_MS, daily: startMs + 2 * MINUTE_MS };
  const run = async () => {
    const now = platform.now();
    let changed = await ageSummaries(db, MINUTE_MS);
    if (now >= dueMs.minutely) {
      dueMs.minutely = now + MINUTE_MS;
      changed += await refreshSummaries(db);
    }
    if (changed > 0) notifier.notify('checks');
    if (now >= dueMs.hourly) {
      dueMs.hourly = now + HOUR_MS;
      await hourly(db);
    }
    if (now >= dueMs.daily) {
      dueMs.daily = now + 24 * HOUR_MS;
      await aggregateDays(db);
    }
  };
  const role = leases.role('results');
  return runLoop(
    deps,
    { name: 'results', everyMs: AGE_EVERY_MS, slowestRetryMs: MINUTE_MS, role, run },
    signal,
  );
}
