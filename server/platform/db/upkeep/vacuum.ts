/**
 * Looks after the tables of PGlite as PostgreSQL's autovacuum does: without it what is updated and deleted fills the disk,
 * the planner knows nothing of how many rows there are, and the numbers of transactions come to their end. One table at
 * a time: others have their turn between two.
 */
import { runLoop, type LoopDeps } from '../../jobs/background-loop.ts';
import type { Database } from '../database.ts';
import { dueTables, vacuumTable } from './vacuum-query.ts';

const EVERY_MS = 15 * 60_000;

interface VacuumDeps extends LoopDeps {
  db: Database;
}

/** One round of all tables that are due. One that fails holds up none of the others; throws after all of them. */
export async function vacuumTables(db: Database, signal: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  for (const table of await dueTables(db)) {
    if (signal.aborted) break;
    await vacuumTable(db, table).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} tables could not be vacuumed`);
}

/** Until the signal aborts; nothing where the database does it by itself. */
export async function runVacuum(deps: VacuumDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (db.kind !== 'pglite') return;
  const run = (stop: AbortSignal) => vacuumTables(db, stop);
  const loop = { name: 'vacuum', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, run };
  await runLoop(deps, { ...loop, slowestRetryMs: EVERY_MS }, signal);
}
