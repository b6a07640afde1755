/**
 * The way of responders to the systems they work in, and back (schema §8.2). Owns when; what is to be done stands in
 * the database, so any process may do it and none does it twice at a time. Events only note what is to be done.
 */
import { INCIDENT_STATUSES } from '../../../src/domain/incident/incident.ts';
import type { EventHandler } from '../../platform/jobs/event-queue.ts';
import { onTables, runLoop } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { Database } from '../../platform/db/database.ts';
import type { LeaseQueueDeps } from '../../platform/jobs/lease-queue.ts';
import { createCallQueue, planCall, planRemoval } from './deliver-calls.ts';
import { enqueueComment, enqueueStatus } from './message-query.ts';
import { readOptions } from './read-options.ts';
import { readSystems } from './read-systems.ts';
import { LOOK_EVERY_MS } from './responder-deps.ts';
import type { ResponderDeps } from './responder-deps.ts';
import { createMessageQueue } from './tell-news.ts';

/** A change of these in this process may have brought work. */
const WAKES_ON = new Set(['event_queue', 'responder_deliveries', 'teams']);

export interface ResponderService {
  /** For the event queue, by name of the event. */
  handlers: ReadonlyMap<string, EventHandler>;
  /** Does what is due; answers how much that was. */
  work(signal: AbortSignal): Promise<number>;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface ResponderServiceDeps extends ResponderDeps, LeaseQueueDeps {
  db: Database;
  notifier: Pick<ChangeNotifier, 'subscribe'>;
}

const idOf = ({ id }: Record<string, unknown>): string => (typeof id === 'string' ? id : '');

function handlersOf(deps: ResponderDeps): ReadonlyMap<string, EventHandler> {
  const handlers = new Map<string, EventHandler>([
    ['incident.responder.added', ({ properties }) => planCall(idOf(properties), deps)],
    ['incident.responder.removed', ({ properties }) => planRemoval(idOf(properties), deps)],
    [
      'incident.comment.added',
      async ({ properties }) => {
        await enqueueComment(deps.db, idOf(properties));
      },
    ],
  ]);
  for (const status of [...INCIDENT_STATUSES, 'cancelled']) {
    handlers.set(`incident.status.${status}`, async ({ properties, key }) => {
      await enqueueStatus(deps.db, { incidentId: idOf(properties), status, event: key });
    });
  }
  return handlers;
}

/** Wires the queues and loops of it; nothing runs until it is started. */
export function createResponderService(deps: ResponderServiceDeps): ResponderService {
  const wakes = [onTables(deps.notifier, WAKES_ON)];
  const queues = [createCallQueue(deps, wakes), createMessageQueue(deps, wakes)];
  /** A loop each: what waits for one system must not hold up the others. */
  const steps = new Map([
    ['responders: read', (signal: AbortSignal) => readSystems(signal, deps)],
    ['responders: options', (signal: AbortSignal) => readOptions(signal, deps)],
  ]);

  return {
    handlers: handlersOf(deps),
    async work(signal) {
      let done = 0;
      for (const queue of queues) done += await queue.drain(signal);
      for (const step of steps.values()) done += await step(signal);
      return done;
    },
    async run(signal) {
      const loops = [...steps].map(([name, run]) => ({ name, everyMs: LOOK_EVERY_MS, wakes, run }));
      await Promise.all([
        ...queues.map((queue) => queue.run(signal)),
        ...loops.map((loop) => runLoop(deps, loop, signal)),
      ]);
    },
  };
}
