/**
 * Seals the literals that the database took out of specifications and connections: its triggers write them, but have
 * no key. At the start of the server and right after each write; between the two a value is there as it was written.
 */
import { onTables, runLoop, type LoopDeps } from '../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import type { Database } from '../platform/db/database.ts';
import type { Sealer } from '../platform/crypto/sealing.ts';
import { sealedFor } from '../platform/crypto/sealed-values.ts';
import type { SecretTable } from '../platform/crypto/sealed-values.ts';
import { replacePlain, unsealed } from './sealing-query.ts';

/** For writes that no one here was told of: another server's, or by hand. */
const LOOK_EVERY_MS = 15_000;
const TABLES: readonly SecretTable[] = ['spec_secrets', 'team_secrets'];
const SOURCES = new Set(['canaries', 'config_scrapers', 'notifications', 'connections', 'teams']);

/** Seals all that is not; answers how many there were. */
export async function sealStored(db: Database, sealer: Pick<Sealer, 'seal'>): Promise<number> {
  let count = 0;
  for (const table of TABLES) {
    for (;;) {
      const rows = await unsealed(db, table);
      if (rows.length === 0) break;
      for (const row of rows)
        await replacePlain(db, table, { ...row, sealed: sealer.seal(row.value, sealedFor(table, row)) });
      count += rows.length;
    }
  }
  return count;
}

interface KeepDeps extends LoopDeps {
  db: Database;
  sealer: Pick<Sealer, 'seal'>;
  notifier: Pick<ChangeNotifier, 'subscribe'>;
}

/** Until the signal aborts. */
export function keepSealed(deps: KeepDeps, signal: AbortSignal): Promise<void> {
  const { db, sealer, notifier } = deps;
  const wakes = [onTables(notifier, SOURCES)];
  const run = () => sealStored(db, sealer);
  return runLoop(deps, { name: 'secrets', everyMs: LOOK_EVERY_MS, wakes, run }, signal);
}
