/**
 * Stores results in batches, one transaction each, and tells the nudge hub after commit. Owns the buffer between
 * running checks and the database; knows nothing of kinds or schedules.
 * - A result is stored once or reported as lost in the log; a failed batch is tried again until it fits.
 * - `add` resolves when the result is durable, so a run on demand can answer truthfully.
 */
import type { Database } from '../../platform/db/database.ts';
import type { NudgeHub } from '../../platform/jobs/nudge-hub.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { storeResults } from './result-query.ts';
import type { ResultRow } from './result-query.ts';

/** Short enough for a red check to show within a second, long enough to fold a busy moment into one commit. */
const FLUSH_DELAY_MS = 60;
const BATCH_ROWS = 500;
const RETRY_DELAY_MS = 1000;
/** When the database is away for long, the oldest results go first: they say least about now. */
const MAX_BUFFERED = 20_000;

export interface ResultWriter {
  add(row: ResultRow): Promise<void>;
  /** Stores what is buffered; resolves when all of it was tried once. */
  flush(): Promise<void>;
}

interface Waiting {
  row: ResultRow;
  done: () => void;
}

export function createResultWriter(deps: {
  db: Database;
  nudges: NudgeHub;
  platform: Platform;
  logger: Logger;
}): ResultWriter {
  const { db, nudges, platform, logger } = deps;
  let buffer: Waiting[] = [];
  let running: Promise<void> | null = null;

  const storeBatch = async (): Promise<boolean> => {
    const batch = buffer.slice(0, BATCH_ROWS);
    if (batch.length === 0) return true;
    try {
      await db.transaction((tx) =>
        storeResults(
          tx,
          batch.map(({ row }) => row),
        ),
      );
    } catch (error) {
      logger.error({ err: error, results: batch.length }, 'results could not be stored, trying again');
      return false;
    }
    // By identity: the buffer may have lost its oldest rows meanwhile.
    const stored = new Set(batch);
    buffer = buffer.filter((waiting) => !stored.has(waiting));
    for (const { done } of batch) done();
    nudges.touch('checks', 'check_statuses');
    return true;
  };

  const drain = async (): Promise<void> => {
    await platform.sleep(FLUSH_DELAY_MS);
    while (buffer.length > 0) {
      if (!(await storeBatch())) await platform.sleep(RETRY_DELAY_MS);
    }
    running = null;
  };

  return {
    add(row) {
      return new Promise((done) => {
        buffer.push({ row, done });
        if (buffer.length > MAX_BUFFERED) {
          buffer.shift()?.done();
          logger.warn('the oldest result was dropped: the database has been away for too long');
        }
        running ??= drain();
      });
    },
    async flush() {
      while (buffer.length > 0) if (!(await storeBatch())) return;
    },
  };
}
