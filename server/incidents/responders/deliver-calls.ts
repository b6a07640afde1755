/**
 * Makes the calls that wait. Invariants: an attempt is one process's own for as long as it takes; from the second
 * attempt on a call is looked for before it is made, since only the answer may have been lost; a responder who was
 * removed before his call was made is never called.
 */
import { findCall } from './adapters/call-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { WakeSource } from '../../platform/jobs/background-loop.ts';
import { createLeaseQueue } from '../../platform/jobs/lease-queue.ts';
import type { AttemptEnd, LeaseQueue, LeaseQueueDeps } from '../../platform/jobs/lease-queue.ts';
import {
  CALL_TABLE,
  dropDelivery,
  insertDelivery,
  markDelivered,
  markUndelivered,
} from './delivery-query.ts';
import type { WaitingCall } from './delivery-query.ts';
import { enqueueRemoval } from './message-query.ts';
import { isCallable, linkOf, openCall } from './open-call.ts';
import { CONCURRENCY, LOOK_EVERY_MS } from './responder-deps.ts';
import type { ResponderDeps } from './responder-deps.ts';
import { verdictOn } from './retry-plan.ts';

/** Notes that a new responder is to be called, where somebody can be. */
export async function planCall(responderId: string, deps: ResponderDeps): Promise<void> {
  const row = await findCall(deps.db, responderId);
  if (row === null || row.is_removed || !isCallable(row, deps.mail)) return;
  if ((await insertDelivery(deps.db, responderId, new Date(deps.now()))) > 0)
    deps.notify('responder_deliveries');
}

/** Takes back the call of a removed responder: not made when it waits, told when it was made. */
export async function planRemoval(responderId: string, deps: ResponderDeps): Promise<void> {
  await enqueueRemoval(deps.db, responderId);
}

async function attempt(
  { id, attempts, was_tried: wasTried }: WaitingCall,
  signal: AbortSignal,
  deps: ResponderDeps,
): Promise<AttemptEnd> {
  const { db, now } = deps;
  const dropped: AttemptEnd = { kind: 'done', write: (tx) => dropDelivery(tx, id) };
  const row = await findCall(db, id);
  if (row === null) return dropped;
  const { call, adapter, linkUrl } = await openCall(row, signal, deps);
  const made = attempts > 1 || wasTried ? await adapter.find(call) : null;
  if (row.is_removed && made === null) return dropped;
  const remote = made ?? (await adapter.create(call));
  const readAt = adapter.read === null ? null : new Date(now());
  return {
    kind: 'done',
    async write(tx) {
      await markDelivered(tx, id, { remote, url: linkOf(linkUrl, remote), readAt });
      // Removed while it was called: the other side is told now that there is somebody to tell.
      const after = await findCall(tx, id);
      if (after?.is_removed === true) await enqueueRemoval(tx, id);
    },
  };
}

/** The calls that are to be made. */
export function createCallQueue(
  deps: ResponderDeps & LeaseQueueDeps,
  wakes: readonly WakeSource[],
): LeaseQueue {
  const { now, logger, notify } = deps;
  return createLeaseQueue<WaitingCall>(deps, {
    name: 'calls',
    table: CALL_TABLE,
    concurrency: CONCURRENCY,
    everyMs: LOOK_EVERY_MS,
    wakes,
    handle: (call, signal) => attempt(call, signal, deps),
    failed({ id, attempts }, error, signal) {
      // The server is ending: the attempt was cut by us and says nothing about the other side.
      if (signal.aborted) return null;
      const { failure, nextAttemptAt } = verdictOn(error, { attempts, nowMs: now() });
      const { message, code } = failure;
      logger.warn({ responderId: id, code, attempts }, 'a responder was not reached');
      const write = (tx: Queryable) => markUndelivered(tx, id, { error: message, nextAttemptAt });
      return { kind: nextAttemptAt === null ? 'dead' : 'retried', write };
    },
    ended: () => notify('responder_deliveries', 'responders'),
  });
}
