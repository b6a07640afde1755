/**
 * Rules of notifications while the server runs (schema §7.1): events are taken to them, messages are sent, silences that
 * end are told of, and what is old is forgotten. What is to be done stands in the database, so any server may do it.
 */
import type { Database } from '../platform/db/database.ts';
import { createExpressions, type Expressions } from '../platform/expressions/expression-thread.ts';
import { runLoop } from '../platform/jobs/background-loop.ts';
import { withLease } from '../platform/jobs/leased-database.ts';
import type { LeaseQueue } from '../platform/jobs/lease-queue.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import type { Courier } from '../platform/mail/courier.ts';
import type { Platform } from '../platform/platform.ts';
import { createDeliveryQueue, type DeliveryDeps } from './delivery/delivery-queue.ts';
import { purgeHistory } from './delivery/history-query.ts';
import { tellSnoozes } from './commands/tell-snoozes.ts';
import { purgeMessages } from './direct/direct-query.ts';
import { purgeReceipts } from './push/receipt-query.ts';
import { hasEvents } from './rules/event-batch-query.ts';
import { createHeldAsker } from './fan-out/ask-held.ts';
import { BATCH, takeEvents } from './fan-out/take-events.ts';
import { tellEndings } from './silences/tell-endings.ts';

/** Events are found by looking: triggers write them, whoever caused them. */
const LOOK_EVERY_MS = 1000;
/** More at once are a flood: these have what is told at once, the rest goes into digests, which wait for seconds. */
export const FLOOD = 250;
/** So long the rest of a flood leaves the processor to the devices, whose boards are to be right first. */
export const FLOOD_RESTS_MS = 1500;
const SNOOZES_EVERY_MS = 5000;
const UPKEEP_EVERY_MS = 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
/** So long devices may still say what became of a mention. */
const DIRECT_KEPT_MS = 24 * 3_600_000;

export interface NotificationService {
  /** Does what is due; answers how much that was. */
  settle(signal: AbortSignal): Promise<number>;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Looks at once for what is to be sent. */
  wake(): void;
}

export interface NotificationDeps extends Omit<DeliveryDeps, 'expressions'> {
  db: Database;
  leases: Pick<Leases, 'takeAll' | 'take'>;
  platform: Platform;
  courier: Pick<Courier, 'enqueue' | 'wake'>;
}

/** The oldest events, by one of the servers; answers how many. */
async function takeSome(
  deps: NotificationDeps,
  expressions: Expressions,
  { queue, most }: { queue: Pick<LeaseQueue, 'wake'>; most: number },
): Promise<number> {
  const { platform, leases, notifier } = deps;
  if (!(await hasEvents(deps.db))) return 0;
  const lease = await leases.take('notification events');
  if (lease === null) return 0;
  try {
    const parts = {
      db: withLease(deps.db, lease),
      expressions,
      publicUrl: deps.publicUrl,
      newId: () => platform.newId(),
      hasMail: deps.mail !== null,
      courier: deps.courier,
      now: () => platform.now(),
    };
    const { taken, isSending, hasResting } = await takeEvents(parts, most);
    if (taken > 0) notifier.notify('notification_send_history');
    if (hasResting) deps.courier.wake();
    // A digest that waits for the rest of its flood may go once nothing more is on its way.
    if (isSending || (taken > 0 && !(await hasEvents(deps.db)))) queue.wake();
    return taken;
  } finally {
    await lease.release();
  }
}

/** Wires them; nothing runs until it is started. */
export function createNotificationService(deps: NotificationDeps): NotificationService {
  const { platform, notifier } = deps;
  const expressions = createExpressions();
  const queue = createDeliveryQueue({ ...deps, expressions });
  const askHeld = createHeldAsker(deps.db);

  const take = (most = BATCH) => takeSome(deps, expressions, { queue, most });

  /** All that waits. */
  async function takeAll(signal: AbortSignal): Promise<void> {
    if ((await take(FLOOD)) < FLOOD) return;
    await platform.sleep(FLOOD_RESTS_MS, signal);
    while (!signal.aborted && (await take()) > 0);
  }

  async function upkeep(): Promise<number> {
    await purgeHistory(deps.db, new Date(platform.now() - KEPT_MS));
    await purgeReceipts(deps.db, new Date(platform.now() - KEPT_MS));
    await purgeMessages(deps.db, new Date(platform.now() - DIRECT_KEPT_MS));
    const asked = await askHeld(platform.now());
    if (asked > 0) notifier.notify('notification_send_history');
    return asked + (await tellEndings(deps, platform.now()));
  }

  return {
    wake: () => queue.wake(),
    async settle(signal) {
      let done = 0;
      for (let taken = await take(); taken > 0; taken = await take()) done += taken;
      return (
        done + (await queue.drain(signal)) + (await upkeep()) + (await tellSnoozes(deps, platform.now()))
      );
    },
    async run(signal) {
      const taking = {
        name: 'notification events',
        everyMs: LOOK_EVERY_MS,
        run: () => takeAll(signal),
      };
      const keeping = { name: 'notification upkeep', everyMs: UPKEEP_EVERY_MS, run: upkeep };
      const waking = {
        name: 'snoozes',
        everyMs: SNOOZES_EVERY_MS,
        run: () => tellSnoozes(deps, platform.now()),
      };
      const loops = [taking, keeping, waking].map((each) => runLoop(deps, each, signal));
      await Promise.all([...loops, queue.run(signal)]);
      await expressions.close();
    },
  };
}
