/**
 * Gives events that the database noted (schema §7.3) to whoever handles them. Invariants: an event is handled at
 * least once and by one process at a time; one that fails comes again, ever later, four times in all, then stays
 * with its error for somebody to see, until it is 30 days old; events that nobody handles aren't noted. Handlers note
 * what is to be done and leave slow work to loops of their own: the queue waits for each.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { onTables, runLoop } from './background-loop.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import { failEvent, finishEvent, purgeEvents, subscribeEvents, takeEvent } from './event-query.ts';
import type { QueuedEvent } from './event-query.ts';

/** Other processes' writes are found by looking; our own wake the queue. */
const LOOK_EVERY_MS = 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;
/** Room for a code and a sentence: what outside systems say at length is no business of this table. */
const LONGEST_ERROR = 500;

interface HandledEvent {
  name: string;
  properties: Record<string, unknown>;
  /** By this a handler knows an event that comes twice: its process died after it had been handled. */
  key: string;
}

export type EventHandler = (event: HandledEvent) => Promise<void>;

export interface EventQueue {
  /** Handles what waits and is due; answers how many events it took. */
  drain(): Promise<number>;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface EventQueueDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  notifier: Pick<ChangeNotifier, 'subscribe' | 'notify'>;
  /** By name of the event. */
  handlers: ReadonlyMap<string, EventHandler>;
  /** Tables whose change in this process may have brought an event. */
  wakesOn: ReadonlySet<string>;
}

/** Only words of our own are kept: other errors may quote what they were about. */
function shownError(error: unknown): string {
  const text = error instanceof AppError ? error.message : error instanceof Error ? error.name : 'unknown';
  return text.slice(0, LONGEST_ERROR);
}

export function createEventQueue(deps: EventQueueDeps): EventQueue {
  const { db, platform, logger, notifier, handlers, wakesOn } = deps;
  const names = [...handlers.keys()];

  async function handle(event: QueuedEvent): Promise<void> {
    try {
      await handlers.get(event.name)?.(event);
      await finishEvent(db, event);
    } catch (error) {
      logger.error({ err: error, event: event.name, attempts: event.attempts }, 'an event was not handled');
      await failEvent(db, event, shownError(error));
    }
  }

  async function drain(): Promise<number> {
    for (let taken = 0; ; taken += 1) {
      const event = await takeEvent(db, { names, now: new Date(platform.now()) });
      if (event === null) return taken;
      await handle(event);
    }
  }

  return {
    drain,
    run(signal) {
      let purgedAtMs = Number.NEGATIVE_INFINITY;
      let isSubscribed = false;
      const run = async () => {
        if (!isSubscribed) await subscribeEvents(db, names);
        isSubscribed = true;
        if ((await drain()) > 0) notifier.notify('event_queue');
        if (platform.now() - purgedAtMs <= PURGE_EVERY_MS) return;
        purgedAtMs = platform.now();
        await purgeEvents(db, new Date(purgedAtMs - KEPT_MS));
      };
      const wakes = [onTables(notifier, wakesOn)];
      return runLoop({ platform, logger }, { name: 'events', everyMs: LOOK_EVERY_MS, wakes, run }, signal);
    },
  };
}
