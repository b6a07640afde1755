/** Keeps the change log from growing for ever: forgets what nobody asks for any more. */
import type { Database } from '../../platform/db/database.ts';
import { runLoop, type LoopDeps } from '../../platform/jobs/background-loop.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import { forgetBefore } from './state-query.ts';

const HOUR_MS = 3_600_000;
/** Devices that stay away longer send what they kept and start over (law 3). */
const REMEMBERED_MS = 90 * 24 * HOUR_MS;

interface UpkeepDeps extends LoopDeps {
  db: Database;
  leases: Pick<Leases, 'role'>;
}

/** Until the signal aborts; on one of the servers of the database. */
export function keepLogSmall(deps: UpkeepDeps, signal: AbortSignal): Promise<void> {
  const { db, platform, logger, leases } = deps;
  const run = async () => {
    const forgotten = await forgetBefore(db, new Date(platform.now() - REMEMBERED_MS));
    if (forgotten > 0) logger.info({ forgotten }, 'change log: old entries forgotten');
  };
  const role = leases.role('change-log');
  const loop = { name: 'change log', everyMs: HOUR_MS, firstAfterMs: HOUR_MS, role, run };
  return runLoop(deps, { ...loop, slowestRetryMs: HOUR_MS }, signal);
}
