/**
 * What people are told of beside rules: mentions, calls for help and for approval, which triggers write (migrations 0016,
 * 0043, 0053). Each goes by one way after the other, as a message of a rule does (decisions/0040, 0042), and at each step
 * with the facts and rights of that moment. A server that is killed in between leaves the step to another one: no
 * browser is given a message twice, and a mail is written with the end of its step.
 */
import {
  CONFIRM_MS,
  firstWays,
  heldUntilMs,
  isUrgentMessage,
  nextStep,
  PUSH_STEPS,
  type PushStep,
  type ReachSettings,
} from '../../../src/domain/notification/reach.ts';
import { findPerson } from '../../access/people/people-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { onTables } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import {
  backoffMs,
  createLeaseQueue,
  type AttemptEnd,
  type LeaseQueue,
  type LeaseQueueDeps,
} from '../../platform/jobs/lease-queue.ts';
import type { Courier } from '../../platform/mail/courier.ts';
import { reachOf } from '../people/reach-query.ts';
import type { PushService } from '../push/push-service.ts';
import { isConfirmed } from '../push/receipt-query.ts';
import { mailText } from '../senders/mail-sender.ts';
import { judgeMessage, type Told } from './check-message.ts';
import { DIRECT_TABLE, endMessage, moveMessage, retryMessage, type DueMessage } from './direct-query.ts';
import { MESSAGES } from './messages.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

const CONCURRENCY = 50;
/** Nothing notifies when a step is due. */
const LOOK_EVERY_MS = 5000;
const MAX_ATTEMPTS = 6;
const FIRST_WAIT_MS = 30_000;
const TABLES: ReadonlySet<string> = new Set(['comments', 'responders', 'playbook_runs']);

export interface DirectDeps extends LeaseQueueDeps {
  notifier: Pick<ChangeNotifier, 'subscribe'>;
  push: Pick<PushService, 'sendToPerson'>;
  /** Null where no mail can be sent. */
  courier: Pick<Courier, 'enqueue' | 'wake'> | null;
  publicUrl: () => string;
}

export interface DirectMessages {
  /** Takes the steps that are due; answers how many. */
  deliverDue(signal: AbortSignal): Promise<number>;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const stepAt = (step: number): PushStep => PUSH_STEPS[step] ?? 'mail';

class Step {
  private readonly deps: DirectDeps;
  private readonly due: DueMessage;
  private readonly nowMs: number;

  constructor(deps: DirectDeps, due: DueMessage) {
    this.deps = deps;
    this.due = due;
    this.nowMs = deps.platform.now();
  }

  async take(signal: AbortSignal): Promise<AttemptEnd> {
    const { db } = this.deps;
    const { due, nowMs } = this;
    const told = judgeMessage(due, nowMs);
    if (told === null) return this.ended();
    if (due.step > 0 && (await isConfirmed(db, { messageId: due.id }))) return this.ended();
    const settings = await reachOf(db, due.person_id);
    const isUrgent = isUrgentMessage({}, due.severity);
    const heldMs = heldUntilMs(settings, { nowMs, isUrgent });
    if (heldMs !== null) return this.moved(due.step, heldMs);
    const step = stepAt(due.step);
    if (step === 'mail') return (await this.isForPerson(told)) ? this.mailed(told) : this.ended();
    const ways = firstWays(settings, { hasBrowser: due.has_browser, hasMail: this.deps.courier !== null });
    // Who has no device to be told by may have the app open: mail comes when they did not look.
    if (!ways.includes('push')) return this.byMailLater();
    return this.pushed(told, { settings, step, hasMailToo: ways.includes('mail'), signal });
  }

  /** What was thrown says nothing about the message. */
  failed(waitMs: number | null): AttemptEnd {
    const { due, nowMs } = this;
    if (due.attempts >= MAX_ATTEMPTS) return { ...this.ended(), kind: 'dead' };
    const wait = waitMs ?? backoffMs(due.attempts, { firstMs: FIRST_WAIT_MS });
    return { kind: 'retried', write: (tx) => retryMessage(tx, due.id, new Date(nowMs + wait)) };
  }

  private async pushed(
    { message, isFor }: Told,
    asked: { settings: ReachSettings; step: PushStep; hasMailToo: boolean; signal: AbortSignal },
  ): Promise<AttemptEnd> {
    const { deps, due, nowMs } = this;
    const { settings, step, signal } = asked;
    const { outcome, hasOthers } = await deps.push.sendToPerson({
      personId: due.person_id,
      thing: { messageId: due.id },
      message,
      isFor,
      signal,
      isFirst: step === 'device',
    });
    const next = nextStep(step, settings, { hasOthers, hasMail: deps.courier !== null });
    // With every message, by their own choice: once, with the first way.
    const isMailed = asked.hasMailToo && step === 'device' && (await this.isForPerson({ message, isFor }));
    if (outcome.kind === 'later' && next === null && !isMailed) return this.failed(outcome.retryAfterMs);
    const isSent = outcome.kind === 'sent';
    const end =
      next === null
        ? this.ended()
        : this.moved(PUSH_STEPS.indexOf(next), isSent ? nowMs + CONFIRM_MS : nowMs);
    if (!isMailed) return isSent || next !== null ? end : { ...end, kind: 'dead' };
    return { ...end, write: async (tx) => void (await this.letter(tx, message), await end.write(tx)) };
  }

  private byMailLater(): AttemptEnd {
    const { nowMs } = this;
    if (this.deps.courier === null) return this.ended();
    const atMs = nowMs + CONFIRM_MS;
    return this.moved(PUSH_STEPS.indexOf('mail'), atMs);
  }

  private mailed({ message }: Told): AttemptEnd {
    const end = this.ended();
    return { ...end, write: async (tx) => void (await this.letter(tx, message), await end.write(tx)) };
  }

  private async letter(tx: Queryable, { title, body, url }: Told['message']): Promise<void> {
    const { deps, due } = this;
    if (deps.courier === null || !(due.email ?? '').includes('@')) return;
    const link = { label: MESSAGES.open, url: `${trimEnd(deps.publicUrl(), '/')}${url}` };
    const letter = mailText({ key: due.id, title, body, properties: {}, links: [link] });
    await deps.courier.enqueue(tx, due.email, letter);
  }

  /** A mail has no session: the rights of the account count. */
  private async isForPerson({ isFor }: Told): Promise<boolean> {
    const person = await findPerson(this.deps.db, this.due.person_id);
    return person?.state === 'active' && isFor(person.roles);
  }

  private ended(): AttemptEnd {
    return { kind: 'done', write: (tx) => endMessage(tx, this.due.id, new Date(this.nowMs)) };
  }

  private moved(step: number, atMs: number): AttemptEnd {
    return { kind: 'retried', write: (tx) => moveMessage(tx, this.due.id, { step, at: new Date(atMs) }) };
  }
}

function createQueue(deps: DirectDeps): LeaseQueue {
  return createLeaseQueue<DueMessage>(deps, {
    name: 'push',
    table: DIRECT_TABLE,
    concurrency: CONCURRENCY,
    everyMs: LOOK_EVERY_MS,
    wakes: [onTables(deps.notifier, TABLES)],
    handle: (due, signal) => new Step(deps, due).take(signal),
    failed(due, error) {
      deps.logger.warn({ err: error, messageId: due.id }, 'a message to a person was not sent');
      return new Step(deps, due).failed(null);
    },
    ended: () => deps.courier?.wake(),
  });
}

/** Messages to people; nothing runs until it is started. */
export function createDirectMessages(deps: DirectDeps): DirectMessages {
  const queue = createQueue(deps);
  return {
    deliverDue: (signal) => queue.drain(signal),
    run: (signal) => queue.run(signal),
  };
}
