/**
 * A message to a person, one way after the other: the device that was seen last, the other devices, mail. What no device
 * has shown within a minute goes on; what nobody takes goes on at once.
 */
import { CONFIRM_MS, nextStep, PUSH_STEPS, type PushStep } from '../../../src/domain/notification/reach.ts';
import { reachOf } from '../people/reach-query.ts';
import { isConfirmed } from '../push/receipt-query.ts';
import type { SendOutcome } from '../senders/sender.ts';
import type { DueDelivery } from './delivery-query.ts';
import { MESSAGES } from './messages.ts';
import { byMail, byPush, type Outgoing, type WayDeps } from './ways.ts';

export interface StepEnd {
  outcome: SendOutcome;
  /** As the history notes the attempt. */
  note: string;
  /** The way that comes next, and when; null where nothing is left to do. */
  next: { step: number; atMs: number } | null;
}

const stepOf = ({ step }: DueDelivery): PushStep => PUSH_STEPS[step] ?? 'mail';

/** One step; answers null when a device has confirmed meanwhile. */
export async function takeStep(
  item: DueDelivery,
  personId: string,
  { outgoing, deps }: { outgoing: Outgoing; deps: WayDeps },
): Promise<StepEnd | null> {
  const { db, now } = deps;
  const step = stepOf(item);
  if (item.step > 0 && (await isConfirmed(db, { deliveryId: item.id }))) return null;
  const { outcome, hasOthers } =
    step === 'mail'
      ? { outcome: await byMail(personId, outgoing, deps), hasOthers: false }
      : await byPush(personId, outgoing, { ...deps, isFirst: step === 'device' });
  const reason = outcome.kind === 'sent' ? MESSAGES.sentBy[step] : outcome.reason;
  const after = nextStep(step, await reachOf(db, personId), { hasOthers, hasMail: deps.mail !== null });
  if (after === null) return { outcome, note: reason, next: null };
  const atMs = now() + (outcome.kind === 'sent' ? CONFIRM_MS : 0);
  return { outcome, note: reason, next: { step: PUSH_STEPS.indexOf(after), atMs } };
}
