/**
 * Sends what waits: one attempt at a time among all servers, one end for each message (lease-queue). A message whose
 * server died while it was sent is sent again with the same key, by which services and mailboxes know it.
 */
import type { Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { onTables } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import {
  backoffMs,
  createLeaseQueue,
  type AttemptEnd,
  type LeaseQueue,
  type LeaseQueueDeps,
} from '../../platform/jobs/lease-queue.ts';
import { wayOf } from '../rules/recipients.ts';
import { ruleById, type RuleRow } from '../rules/rule-query.ts';
import type { SendOutcome } from '../senders/sender.ts';
import {
  DELIVERY_TABLE,
  endDelivery,
  keepText,
  moveOn,
  postpone,
  type DueDelivery,
} from './delivery-query.ts';
import { endMembers, noteAttempt } from './history-query.ts';
import { heldWhole, membersNow } from './members-now.ts';
import { textOf, type Text } from './message-text.ts';
import { MESSAGES } from './messages.ts';
import { takeStep, type StepEnd } from './person-steps.ts';
import { channelOf, sendBy, type WayDeps } from './ways.ts';

const CONCURRENCY = 8;
/** Nothing notifies when a retry is due. */
const LOOK_EVERY_MS = 1000;
const MAX_ATTEMPTS = 8;
const BACKOFF = { firstMs: 10_000, mostMs: 15 * 60_000 };

export interface DeliveryDeps extends LeaseQueueDeps, Omit<WayDeps, 'db' | 'now'> {
  expressions: Pick<Expressions, 'evaluate'>;
  notifier: Pick<ChangeNotifier, 'subscribe' | 'notify'>;
}

class Delivery {
  private readonly deps: DeliveryDeps;
  private readonly item: DueDelivery;
  private readonly startedMs: number;

  constructor(deps: DeliveryDeps, item: DueDelivery) {
    this.deps = deps;
    this.item = item;
    this.startedMs = deps.platform.now();
  }

  async run(signal: AbortSignal): Promise<AttemptEnd> {
    const { db, platform } = this.deps;
    const { item } = this;
    const rule = await ruleById(db, item.notification_id);
    if (rule === null) return this.ended({ kind: 'failed', reason: MESSAGES.ruleGone }, null);
    const way = wayOf(item.recipient);
    if (way === null) return this.ended({ kind: 'failed', reason: MESSAGES.unreadableWay }, null);
    const deps = { ...this.deps, now: () => platform.now() };
    const held = await this.heldSince();
    if (held !== null) return held;
    const text = await this.text(rule, () => channelOf(way, deps));
    if (text === null) return { kind: 'done', write: (tx) => this.drop(tx) };
    const outgoing = { key: item.id, text, rule, doneCalls: item.done_calls, signal };
    const body = `${text.title}\n\n${text.body}`.trim();
    if (way.kind !== 'push') return this.ended(await sendBy(way, outgoing, deps), body);
    return this.stepped(await takeStep(item, way.personId, { outgoing, deps }), body);
  }

  private lookDeps() {
    const { db, expressions, publicUrl, platform } = this.deps;
    return { db, expressions, publicUrl, now: () => platform.now() };
  }

  /**
   * Of a message that was begun: how it ends where somebody has silenced or acknowledged all of it since; else null. What
   * somebody has sent again is sent.
   */
  private async heldSince(): Promise<AttemptEnd | null> {
    const { item } = this;
    if (item.title === null || item.attempts === 1) return null;
    const ended = await heldWhole(this.lookDeps(), item);
    const [first] = ended;
    if (first === undefined) return null;
    const now = new Date(this.deps.platform.now());
    const attempt = this.attempt(now, MESSAGES.goesNoFurther(first.reason));
    return {
      kind: 'done',
      write: async (tx) => {
        await noteAttempt(tx, item.id, { status: 'pending', error: null, body: null, attempt });
        await endMembers(tx, ended);
        await endDelivery(tx, item.id, { state: item.step > 0 ? 'sent' : 'dropped', now });
      },
    };
  }

  /** A way to a person was tried, or a device has confirmed the one before. */
  private stepped(end: StepEnd | null, body: string): AttemptEnd {
    const { item } = this;
    const now = new Date(this.deps.platform.now());
    if (end === null)
      return {
        kind: 'done',
        write: async (tx) => void (await endDelivery(tx, item.id, { state: 'sent', now })),
      };
    const { outcome, note, next } = end;
    const isSent = outcome.kind === 'sent';
    const attempt = this.attempt(now, note);
    if (next === null && outcome.kind === 'later') return this.ended(outcome, body);
    return {
      kind: next !== null ? 'retried' : isSent ? 'done' : 'dead',
      write: async (tx) => {
        const status = isSent ? 'sent' : next === null ? 'error' : 'pending';
        if (next === null) await endDelivery(tx, item.id, { state: isSent ? 'sent' : 'failed', now });
        else await moveOn(tx, item.id, { step: next.step, at: new Date(next.atMs) });
        await noteAttempt(tx, item.id, { status, error: status === 'error' ? note : null, body, attempt });
      },
    };
  }

  private attempt(now: Date, outcome: string) {
    const at = new Date(this.startedMs).toISOString();
    return { at, millis: Math.max(0, now.getTime() - this.startedMs), outcome };
  }

  /** How an attempt ended: written with the end of its lease. */
  ended(outcome: SendOutcome, body: string | null): AttemptEnd {
    const { platform } = this.deps;
    const { item } = this;
    const now = new Date(platform.now());
    const reason = outcome.kind === 'sent' ? 'sent' : outcome.reason;
    const attempt = this.attempt(now, reason);
    if (outcome.kind === 'later' && item.attempts < MAX_ATTEMPTS) {
      const at = new Date(now.getTime() + (outcome.retryAfterMs ?? backoffMs(item.attempts, BACKOFF)));
      const doneCalls = outcome.doneCalls ?? item.done_calls;
      return {
        kind: 'retried',
        write: async (tx) => {
          await postpone(tx, item.id, { at, doneCalls });
          await noteAttempt(tx, item.id, { status: 'pending', error: null, body, attempt });
        },
      };
    }
    const isSent = outcome.kind === 'sent';
    return {
      kind: isSent ? 'done' : 'dead',
      write: async (tx) => {
        await endDelivery(tx, item.id, { state: isSent ? 'sent' : 'failed', now });
        const error = isSent ? null : reason;
        await noteAttempt(tx, item.id, { status: isSent ? 'sent' : 'error', error, body, attempt });
      },
    };
  }

  /** As it was written for the first attempt, else as it is to be. */
  private async text(rule: RuleRow, channelOfWay: () => Promise<string>): Promise<Text | null> {
    const { db } = this.deps;
    const { item } = this;
    if (item.title !== null && item.message !== null)
      return { title: item.title, body: item.body ?? '', ...item.message };
    const { members, ended } = await membersNow(this.lookDeps(), item, rule);
    if (ended.length > 0) await endMembers(db, ended);
    const asksChannel = [rule.title, rule.template].some((words) => words?.includes('channel'));
    const channel = asksChannel ? await channelOfWay() : '';
    const text = await textOf({ rule, members, kind: item.kind, channel }, this.deps);
    if (text === null) return null;
    if (item.title !== null) return { ...text, title: item.title, body: item.body ?? '' };
    await keepText(db, item.id, text);
    return text;
  }

  private async drop(tx: Queryable): Promise<void> {
    await endDelivery(tx, this.item.id, { state: 'dropped', now: new Date(this.deps.platform.now()) });
  }
}

/** One server's way to the messages that wait. */
export function createDeliveryQueue(deps: DeliveryDeps): LeaseQueue {
  return createLeaseQueue<DueDelivery>(deps, {
    name: 'notifications',
    table: DELIVERY_TABLE,
    concurrency: CONCURRENCY,
    everyMs: LOOK_EVERY_MS,
    wakes: [onTables(deps.notifier, ['notification_deliveries'])],
    handle: (item, signal) => new Delivery(deps, item).run(signal),
    failed(item, error, signal) {
      // The server is stopping: the message is to be had at once.
      if (signal.aborted) return null;
      const kind = error instanceof Error ? error.name : 'unknown';
      deps.logger.warn({ err: error, deliveryId: item.id }, 'a notification was not sent');
      const later: SendOutcome = { kind: 'later', reason: MESSAGES.unknown(kind), retryAfterMs: null };
      return new Delivery(deps, item).ended(later, null);
    },
    ended: () => deps.notifier.notify('notification_send_history'),
  });
}
