/**
 * Follows the end of the change log for everybody who listens in this process: woken by our own writers, and by
 * looking every half second for those of other processes on the same database. It reads each range once.
 * Changes that wake nobody (a check that ran again with the same result) wait for the next that do, or for the
 * heartbeat's pace.
 */
import { COLLECTIONS } from '../../../src/contract/collections.ts';
import type { Database } from '../../platform/db/database.ts';
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { readEntries, type LogEntry } from './feed-query.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { readState } from './state-query.ts';

const LOOK_EVERY_MS = 500;
const MINOR_WAITS_MS = 10_000;
/** More at once is not told in the stream: readers ask for it page by page. */
export const MOST_IN_STREAM = 500;

export interface LogPosition {
  epoch: string;
  sequence: number;
}

export interface LogRange {
  epoch: string;
  from: number;
  to: number;
  /** Null when there are too many to tell. */
  entries: readonly LogEntry[] | null;
}

export interface ChangeTail {
  /** Where listeners stand; null before the first look. */
  place(): LogPosition | null;
  /** Runs work between ranges: no range is told while it runs. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Looks now, and tells what waits if `isDue`. */
  look(isDue: boolean): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

interface TailDeps {
  db: Database;
  notifier: ChangeNotifier;
  platform: Platform;
  logger: Logger;
  onRange: (range: LogRange) => Promise<void>;
}

/** `onRange` gets each range once and in order; the first look only finds the place to begin at. */
export function createChangeTail({ db, notifier, platform, logger, onRange }: TailDeps): ChangeTail {
  let place: LogPosition | null = null;
  let waitingSinceMs: number | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const between = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    // The next in line waits for the end of this one, not for its success.
    last = mine.catch(() => undefined);
    return mine;
  };

  const step = async (isDue: boolean) => {
    if (place === null) {
      const { epoch, head } = await readState(db);
      place = { epoch, sequence: head };
      return;
    }
    const { state, entries } = await readEntries(db, {
      after: place.sequence,
      limit: MOST_IN_STREAM + 1,
      collections: COLLECTIONS,
    });
    const isSameEpoch = state.epoch === place.epoch;
    if (isSameEpoch && state.head <= place.sequence) return;
    waitingSinceMs ??= platform.now();
    const isUrgent = !isSameEpoch || entries.some((entry) => !entry.is_minor);
    if (!isUrgent && !isDue && platform.now() - waitingSinceMs < MINOR_WAITS_MS) return;
    waitingSinceMs = null;
    const from = place.sequence;
    place = { epoch: state.epoch, sequence: state.head };
    const isTellable = isSameEpoch && entries.length <= MOST_IN_STREAM;
    await onRange({ epoch: state.epoch, from, to: state.head, entries: isTellable ? entries : null });
  };
  const look = async (isDue: boolean) => {
    try {
      await between(() => step(isDue));
    } catch (error) {
      logger.error({ err: error }, 'change log: a look failed, the next one tries again');
    }
  };

  return {
    place: () => place,
    between,
    look,
    async run(signal) {
      const unsubscribe = notifier.subscribe(() => void look(false));
      const loop = { name: 'change log tail', everyMs: LOOK_EVERY_MS, run: () => look(false) };
      await runLoop({ platform, logger }, loop, signal);
      unsubscribe();
      await last;
    },
  };
}
