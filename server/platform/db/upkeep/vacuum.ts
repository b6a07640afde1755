/**
 * Looks after the tables of PGlite as PostgreSQL's autovacuum does: without it what is updated and deleted fills the disk,
 * the planner knows nothing of how many rows there are, and the numbers of transactions come to their end. One table at
 * a time: others have their turn between two.
 */
import { runLoop, type LoopDeps } from '../../jobs/background-loop.ts';
import type { Database } from '../database.ts';
import { dueTables, tidyTable } from './vacuum-query.ts';

const EVERY_MS = 15 * 60_000;

interface VacuumDeps extends LoopDeps {
  db: Database;
}

/** One round of all tables that are due; answers how many those were. */
export async function tidyTables(db: Database, signal: AbortSignal): Promise<number> {
  const due = await dueTables(db);
  for (const table of due) {
    if (signal.aborted) break;
    await tidyTable(db, table);
  }
  return due.length;
}

/** Until the signal aborts; nothing where the database does it by itself. */
export async function keepTablesTidy(deps: VacuumDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (db.kind !== 'pglite') return;
  const run = (stop: AbortSignal) => tidyTables(db, stop);
  const loop = { name: 'vacuum', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, run };
  await runLoop(deps, { ...loop, slowestRetryMs: EVERY_MS }, signal);
}
