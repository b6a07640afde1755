/**
 * Makes the calls that wait. Invariants: an attempt is one process's own for as long as it may take; from the second
 * attempt on a call is looked for before it is made, since only the answer may have been lost; a responder who was
 * removed before his call was made is never called.
 */
import { findCall } from './adapters/call-query.ts';
import type { CallRow } from './adapters/call-query.ts';
import {
  dropDelivery,
  insertDelivery,
  markDelivered,
  markUndelivered,
  takeDelivery,
} from './delivery-query.ts';
import type { Taken } from './delivery-query.ts';
import { enqueueRemoval } from './message-query.ts';
import { isCallable, linkOf, openCall } from './open-call.ts';
import { LEASE_MS } from './responder-deps.ts';
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
  row: CallRow,
  { taken, signal }: { taken: Taken; signal: AbortSignal },
  deps: ResponderDeps,
) {
  const { db, now } = deps;
  const { call, adapter, linkUrl } = await openCall(row, signal, deps);
  const made = taken.attempts > 1 || taken.was_tried ? await adapter.find(call) : null;
  if (row.is_removed && made === null) {
    await dropDelivery(db, row.id);
    return;
  }
  const remote = made ?? (await adapter.create(call));
  const readAt = adapter.read === null ? null : new Date(now());
  await db.transaction(async (tx) => {
    await markDelivered(tx, row.id, { remote, url: linkOf(linkUrl, remote), readAt });
    // Removed while it was called: the other side is told now that there is somebody to tell.
    const after = await findCall(tx, row.id);
    if (after?.is_removed === true) await enqueueRemoval(tx, row.id);
  });
}

/** Makes the calls that are due; answers how many attempts that were. */
export async function deliverCalls(signal: AbortSignal, deps: ResponderDeps): Promise<number> {
  const { db, now, logger, notify } = deps;
  for (let count = 0; ; count += 1) {
    const at = { now: new Date(now()), until: new Date(now() + LEASE_MS) };
    const taken = signal.aborted ? null : await takeDelivery(db, at);
    if (taken === null) return count;
    const row = await findCall(db, taken.responder_id);
    if (row === null) continue;
    try {
      await attempt(row, { taken, signal }, deps);
    } catch (error) {
      // The server is ending: the attempt was cut by us and says nothing about the other side.
      if (signal.aborted) return count;
      const { failure, nextAttemptAt } = verdictOn(error, { attempts: taken.attempts, nowMs: now() });
      const { message, code } = failure;
      logger.warn({ responderId: row.id, code, attempts: taken.attempts }, 'a responder was not reached');
      await markUndelivered(db, row.id, { error: message, nextAttemptAt });
    }
    notify('responder_deliveries', 'responders');
  }
}
