/**
 * Seals the literals that the database took out of specifications and connections: its triggers write them, but have
 * no key. At the start of the server and right after each write; between the two a value is there as it was written.
 */
import type { NudgeHub } from '../platform/jobs/nudge-hub.ts';
import type { Database } from '../platform/db/database.ts';
import type { Sealer } from '../platform/crypto/sealing.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import { sealedFor } from '../platform/crypto/sealed-values.ts';
import type { KeptTable } from '../platform/crypto/sealed-values.ts';
import { replacePlain, unsealed } from './sealing-query.ts';

/** For writes that no one here was told of: another server's, or by hand. */
const LOOK_EVERY_MS = 15_000;
const TABLES: readonly KeptTable[] = ['spec_secrets', 'team_secrets'];
const SOURCES = new Set(['canaries', 'config_scrapers', 'notifications', 'connections', 'teams']);

/** Seals all that is not; answers how many there were. */
export async function sealKept(db: Database, sealer: Pick<Sealer, 'seal'>): Promise<number> {
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

interface KeepDeps {
  db: Database;
  sealer: Pick<Sealer, 'seal'>;
  nudges: Pick<NudgeHub, 'subscribe'>;
  platform: Platform;
  logger: Logger;
}

/** Until the signal aborts. */
export async function keepSealed(deps: KeepDeps, signal: AbortSignal): Promise<void> {
  const { db, sealer, nudges, platform, logger } = deps;
  let waiting = new AbortController();
  const stopListening = nudges.subscribe((tables) => {
    if (tables.some((table) => SOURCES.has(table))) waiting.abort();
  });
  while (!signal.aborted) {
    // Before the look, so that a write during it is looked at again.
    waiting = new AbortController();
    try {
      await sealKept(db, sealer);
    } catch (error) {
      logger.error({ err: error }, 'secrets could not be sealed, tried again soon');
    }
    await platform.sleep(LOOK_EVERY_MS, AbortSignal.any([signal, waiting.signal]));
  }
  stopListening();
}
