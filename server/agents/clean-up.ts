/** Takes away what a deleted agent brought, in batches, so that nobody waits for a large one. */
import type { Database } from '../platform/db/database.ts';
import { onTables, runLoop, type LoopDeps } from '../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import { cleanUpSome, readCleanups } from './clean-up-query.ts';

const EVERY_MS = 30_000;
/** Rows of one transaction. */
const BATCH_ROWS = 1000;
/** Between two: others write, too. */
const PAUSE_MS = 50;
const CHANGED = ['checks', 'canaries', 'components', 'topologies', 'config_items', 'config_scrapers'];

interface CleanUpDeps extends LoopDeps {
  db: Database;
  notify: (table: string) => void;
}

/** Once, for all that wait. */
export async function cleanUpDeleted(
  { db, platform, notify }: CleanUpDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const { agent_id: agentId, deleted_at: deletedAt } of await readCleanups(db)) {
    let isDone = false;
    while (!isDone && !signal.aborted) {
      isDone = await db.transaction((tx) => cleanUpSome(tx, { agentId, deletedAt, most: BATCH_ROWS }));
      for (const table of CHANGED) notify(table);
      await platform.sleep(PAUSE_MS, signal);
    }
  }
}

/** Until the signal aborts, on one of the servers of the database. */
export function cleanUpAgents(
  deps: CleanUpDeps & { leases: Pick<Leases, 'role'>; notifier: Pick<ChangeNotifier, 'subscribe'> },
  signal: AbortSignal,
): Promise<void> {
  const role = deps.leases.role('agents: clean-up');
  const wakes = [onTables(deps.notifier, ['agents'])];
  const run = (stop: AbortSignal) => cleanUpDeleted(deps, stop);
  return runLoop(deps, { name: 'agents: clean-up', everyMs: EVERY_MS, role, wakes, run }, signal);
}
