/**
 * Stores results in batches, one transaction each, and tells the change notifier after commit. Owns the buffer between
 * running checks and the database; knows nothing of kinds or schedules.
 * - A result is stored once or reported as lost in the log; a failed batch is tried again until it fits. One that the
 *   database refuses is lost alone.
 * - `add` resolves when the result is durable, so a run on demand can answer truthfully; false when it was not stored.
 * - A result whose run had a lease that another server has by now is refused.
 */
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import { storeApart } from '../../platform/db/store-apart.ts';
import { validLeases } from '../../platform/jobs/leases.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { storeResults } from './result-query.ts';
import { LastStatuses } from './last-statuses.ts';
import type { ResultRow } from './result-query.ts';

/** Short enough for a red check to show within a second, long enough to fold a busy moment into one commit. */
const FLUSH_DELAY_MS = 60;
/** A result that says what its check's last one said wakes nobody, so a commit of its own is more than it is worth. */
const REPEAT_DELAY_MS = 480;
/** So many are a batch that is worth its commit: a run holds its place among those under way until it is stored. */
const WORTH_A_COMMIT = 20;
const BATCH_ROWS = 500;
const RETRY_DELAY_MS = 1000;
/** When the database is away for long, the oldest results go first: they say least about now. */
const MAX_BUFFERED = 20_000;
/** More checks than one server runs. */
const MAX_KNOWN = 50_000;

export interface ResultWriter {
  /** `lease`: of the run; null for one that somebody asked for. */
  add(row: ResultRow, lease?: Lease | null): Promise<boolean>;
  /** Stores what is buffered; resolves when all of it was tried once. */
  flush(): Promise<void>;
}

interface Waiting {
  row: ResultRow;
  lease: Lease | null;
  isRepeat: boolean;
  done: (isStored: boolean) => void;
}

const isDue = (buffer: readonly Waiting[]) =>
  buffer.length >= WORTH_A_COMMIT || buffer.some(({ isRepeat }) => !isRepeat);

/** Stores those whose run is still this server's, and answers which. */
async function storeAccepted(tx: Queryable, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
  const leases = batch.flatMap(({ lease }) => lease ?? []);
  const valid = await validLeases(tx, leases);
  const accepted = batch.filter(({ lease }) => lease === null || valid.has(lease));
  const rows = accepted.map(({ row }) => row);
  if (rows.length > 0) await storeResults(tx, rows);
  return accepted;
}

interface Tried {
  stored: ReadonlySet<Waiting>;
  /** How many the database refused. */
  unstorable: number;
}

/** Stores what the database takes; the rest is lost, each told by itself. */
async function storeStorable(db: Database, batch: readonly Waiting[], logger: Logger): Promise<Tried> {
  const stored = new Set<Waiting>();
  let unstorable = 0;
  await storeApart(
    batch,
    async (part) => {
      for (const waiting of await db.transaction((tx) => storeAccepted(tx, part))) stored.add(waiting);
    },
    ({ row }, reason) => {
      unstorable += 1;
      logger.error({ check: row.check_id, reason }, 'a result was dropped');
    },
  );
  return { stored, unstorable };
}

/** Owns a buffer in memory: stop it before the database is closed. */
export function createResultWriter(deps: {
  db: Database;
  notifier: ChangeNotifier;
  platform: Platform;
  logger: Logger;
}): ResultWriter {
  const { db, notifier, platform, logger } = deps;
  let buffer: Waiting[] = [];
  const last = new LastStatuses(MAX_KNOWN);
  let running: Promise<void> | null = null;

  const storeBatch = async (): Promise<boolean> => {
    const batch = buffer.slice(0, BATCH_ROWS);
    if (batch.length === 0) return true;
    let tried: Tried;
    try {
      tried = await storeStorable(db, batch, logger);
    } catch (error) {
      logger.error({ err: error, results: batch.length }, 'results could not be stored, trying again');
      return false;
    }
    // By identity: the buffer may have lost its oldest rows meanwhile.
    const done = new Set(batch);
    buffer = buffer.filter((waiting) => !done.has(waiting));
    for (const waiting of batch) waiting.done(tried.stored.has(waiting));
    const refused = batch.length - tried.stored.size - tried.unstorable;
    if (refused > 0)
      logger.warn({ results: refused }, 'results refused: another server runs these checks now');
    notifier.notify('checks', 'check_statuses');
    return true;
  };

  const drain = async (): Promise<void> => {
    for (let waitedMs = 0; waitedMs < REPEAT_DELAY_MS; waitedMs += FLUSH_DELAY_MS) {
      await platform.sleep(FLUSH_DELAY_MS);
      if (isDue(buffer)) break;
    }
    while (buffer.length > 0) {
      if (!(await storeBatch())) await platform.sleep(RETRY_DELAY_MS);
    }
    running = null;
  };

  return {
    add(row, lease = null) {
      return new Promise((done) => {
        // Somebody waits for a run that was asked for.
        const isRepeat = last.isRepeat(row.check_id, row.status) && lease !== null;
        buffer.push({ row, lease, isRepeat, done });
        if (buffer.length > MAX_BUFFERED) {
          buffer.shift()?.done(false);
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
