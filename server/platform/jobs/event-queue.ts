/**
 * Gives events that the database noted (schema §7.3) to whoever handles them. Invariants: an event is handled at
 * least once and by one process at a time; one that fails comes again, ever later, four times in all, then stays
 * with its error for somebody to see, until it is 30 days old; events that nobody handles aren't noted. Handlers note
 * what is to be done and leave slow work to loops of their own: the queue waits for each.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { onTables, runLoop } from './background-loop.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import type { Queryable } from '../db/database.ts';
import {
  eventTable,
  failEvent,
  finishEvent,
  isLastAttempt,
  purgeEvents,
  subscribeEvents,
} from './event-query.ts';
import type { QueuedEvent } from './event-query.ts';
import { createLeaseQueue, type LeaseQueueDeps } from './lease-queue.ts';

/** Other processes' writes are found by looking; our own wake the queue. */
const LOOK_EVERY_MS = 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;
/** Room for a code and a sentence: what outside systems say at length is no business of this table. */
const LONGEST_ERROR = 500;

/** What is told when somebody wants failed events to be tried again. */
export const RETRIED_EVENTS = 'event_queue_retries';

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

interface EventQueueDeps extends LeaseQueueDeps {
  notifier: Pick<ChangeNotifier, 'subscribe' | 'notify'>;
  /** By name of the event. */
  handlers: ReadonlyMap<string, EventHandler>;
  /** The same, of events that are noted only while a row wants them (event_demands). */
  onDemand?: ReadonlyMap<string, EventHandler>;
  /** Tables whose change in this process may have brought an event. */
  wakesOn: ReadonlySet<string>;
}

/** Only words of our own are kept: other errors may quote what they were about. */
function shownError(error: unknown): string {
  const text = error instanceof AppError ? error.message : error instanceof Error ? error.name : 'unknown';
  return text.slice(0, LONGEST_ERROR);
}

/** Subscribes to what is handled, before anything else, and forgets what nobody wanted. */
function createUpkeep({ db, platform, handlers, onDemand }: EventQueueDeps): () => Promise<void> {
  let purgedAtMs = Number.NEGATIVE_INFINITY;
  let isSubscribed = false;
  return async () => {
    if (!isSubscribed) await subscribeEvents(db, [...handlers.keys()], [...(onDemand?.keys() ?? [])]);
    isSubscribed = true;
    if (platform.now() - purgedAtMs <= PURGE_EVERY_MS) return;
    purgedAtMs = platform.now();
    await purgeEvents(db, new Date(purgedAtMs - KEPT_MS));
  };
}

/** One server's way to the events. */
export function createEventQueue(deps: EventQueueDeps): EventQueue {
  const { logger, notifier, handlers, onDemand = new Map<string, EventHandler>(), wakesOn } = deps;
  const names = [...handlers.keys(), ...onDemand.keys()];
  const queue = createLeaseQueue<QueuedEvent>(deps, {
    name: 'events',
    table: eventTable(names),
    concurrency: 1,
    everyMs: LOOK_EVERY_MS,
    wakes: [onTables(notifier, new Set([...wakesOn, RETRIED_EVENTS]))],
    async handle(event) {
      // Each knows an event that comes again because another one failed over it.
      for (const handler of [handlers.get(event.name), onDemand.get(event.name)]) await handler?.(event);
      return { kind: 'done', write: (tx) => finishEvent(tx, event) };
    },
    failed(event, error) {
      logger.error({ err: error, event: event.name, attempts: event.attempts }, 'an event was not handled');
      const write = (tx: Queryable) => failEvent(tx, event, shownError(error));
      return { kind: isLastAttempt(event) ? 'dead' : 'retried', write };
    },
    ended: () => notifier.notify('event_queue'),
  });
  const upkeep = createUpkeep(deps);
  return {
    drain: () => queue.drain(),
    async run(signal) {
      const loop = { name: 'old events', everyMs: LOOK_EVERY_MS, run: upkeep };
      await Promise.all([runLoop(deps, loop, signal), queue.run(signal)]);
    },
  };
}
