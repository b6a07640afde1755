/**
 * From events to messages: the flow of schema §7.1, step by step, for a batch at a time. Owns what becomes of each
 * event for each rule; reads, evaluates, and answers what is to be written, so that all of it is written together with
 * the end of the events, or nothing is.
 */
import { defaultTitle } from '../../../src/domain/notification/default-message.ts';
import { isRepeated, repeatIntervalMs } from '../../../src/domain/notification/notification-rule.ts';
import { coverOf, isActive, type Silence } from '../../../src/domain/notification/silence.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { toldKey, type NewHistory } from '../delivery/history-query.ts';
import type { EventRow } from '../rules/event-batch-query.ts';
import { MESSAGES } from './messages.ts';
import { MessagePlanner, type MessagePlan, type PlanState } from './message-plan.ts';
import { recipientsOf, type Recipient } from '../rules/recipients.ts';
import { environmentOf, isWanted } from '../rules/rule-environment.ts';
import type { RuleRow } from '../rules/rule-query.ts';
import { factsOf, silencedResource } from '../rules/subject.ts';
import type { SubjectRow } from '../rules/subject-query.ts';

/** What is known before the batch is looked at. */
export interface BatchFacts extends PlanState {
  rules: readonly RuleRow[];
  /** By event. */
  subjects: ReadonlyMap<EventRow, SubjectRow>;
  silences: readonly Silence[];
  /** When each was told of last (history-query). */
  told: Map<string, number>;
}

export interface BatchDeps {
  expressions: Pick<Expressions, 'evaluate'>;
  publicUrl: () => string;
  newId: () => string;
  hasMail: boolean;
}

/** What is to be written. */
export interface BatchPlan extends MessagePlan {
  history: NewHistory[];
  /** Rules whose filter failed, and why. */
  ruleErrors: Map<string, string>;
}

interface Asked {
  event: EventRow;
  subject: SubjectRow;
  rule: RuleRow;
  variables: Record<string, unknown>;
}

interface Noted {
  status: NewHistory['status'];
  reason: string | null;
  recipient?: Recipient;
  deliveryId?: string;
}

class BatchPlanner {
  private readonly facts: BatchFacts;
  private readonly deps: BatchDeps;
  private readonly history: NewHistory[] = [];
  private readonly ruleErrors = new Map<string, string>();
  private readonly messages: MessagePlanner;

  constructor(facts: BatchFacts, deps: BatchDeps) {
    this.facts = facts;
    this.deps = deps;
    this.messages = new MessagePlanner(facts, deps.newId);
  }

  async plan(events: readonly EventRow[]): Promise<BatchPlan> {
    for (const event of events) {
      const subject = this.facts.subjects.get(event);
      if (subject !== undefined) await this.ask(event, subject);
    }
    return { history: this.history, ruleErrors: this.ruleErrors, ...this.messages.planned() };
  }

  private async ask(event: EventRow, subject: SubjectRow): Promise<void> {
    const variables = environmentOf({
      event: event.name,
      subject,
      publicUrl: this.deps.publicUrl(),
      channel: '',
    });
    for (const rule of this.facts.rules) {
      if (!rule.events.includes(event.name) || this.ruleErrors.has(rule.id)) continue;
      const verdict = await isWanted(this.deps.expressions, rule.filter, variables);
      if (verdict.kind === 'error') this.ruleErrors.set(rule.id, MESSAGES.filterFailed(verdict.error));
      if (verdict.kind === 'yes') await this.tell({ event, subject, rule, variables });
    }
  }

  private async tell(asked: Asked): Promise<void> {
    const recipients = await this.wantedBy(asked);
    if (recipients.length === 0) return;
    const silencedBy = await this.silencedBy(asked);
    if (silencedBy !== null) {
      this.note(asked, { status: 'silenced', reason: MESSAGES.silenced(silencedBy.id) });
      return;
    }
    if (this.isRepeat(asked)) {
      this.note(asked, {
        status: 'repeat-interval',
        reason: MESSAGES.repeated(asked.rule.repeat_interval ?? ''),
      });
      return;
    }
    const parent = this.messages.parentOf(asked.rule.id, asked.event.name, asked.subject);
    if (parent !== null) {
      this.note(asked, { status: 'silenced', reason: MESSAGES.below(parent) });
      return;
    }
    let isTold = false;
    for (const recipient of recipients) isTold = this.send(asked, recipient) || isTold;
    if (isTold) this.facts.told.set(this.keyOf(asked), this.facts.nowMs);
  }

  /** Answers whether it becomes part of a message. */
  private send(asked: Asked, recipient: Recipient): boolean {
    const { event, subject, rule } = asked;
    const placed = this.messages.place({ event, subject, rule, recipient: recipient.key });
    if (placed.kind === 'limited') {
      this.note(asked, { status: 'cancelled', reason: MESSAGES.limited, recipient });
      return false;
    }
    const reason = placed.isFlapping ? MESSAGES.flapping(placed.changes) : null;
    this.note(asked, { status: 'pending', reason, recipient, deliveryId: placed.deliveryId });
    return true;
  }

  private async wantedBy({ rule, variables }: Asked): Promise<Recipient[]> {
    const wanted: Recipient[] = [];
    for (const recipient of recipientsOf(rule, this.deps)) {
      const verdict = await isWanted(this.deps.expressions, recipient.filter, variables);
      if (verdict.kind === 'error')
        this.ruleErrors.set(rule.id, MESSAGES.serviceFilterFailed(recipient.label, verdict.error));
      if (verdict.kind === 'yes') wanted.push(recipient);
    }
    return wanted;
  }

  private async silencedBy({ event, subject, variables }: Asked): Promise<Silence | null> {
    const resource = silencedResource(event.name, subject);
    for (const silence of this.facts.silences) {
      if (!isActive(silence, this.facts.nowMs)) continue;
      const cover = coverOf(silence, resource);
      if (cover === 'yes') return silence;
      // One whose expression fails silences nothing.
      if (
        cover === 'asks' &&
        (await isWanted(this.deps.expressions, silence.filter, variables)).kind === 'yes'
      )
        return silence;
    }
    return null;
  }

  private keyOf({ event, subject, rule }: Asked): string {
    return toldKey(rule.id, subject.id, event.name);
  }

  private isRepeat(asked: Asked): boolean {
    const last = this.facts.told.get(this.keyOf(asked)) ?? null;
    return isRepeated(last, repeatIntervalMs(asked.rule.repeat_interval), this.facts.nowMs);
  }

  private note({ event, subject, rule }: Asked, noted: Noted): void {
    this.history.push({
      notificationId: rule.id,
      resourceId: subject.id,
      event: event.name,
      status: noted.status,
      title: defaultTitle(factsOf(event.name, subject.env)),
      reason: noted.reason,
      recipient: noted.recipient?.label ?? null,
      personId: noted.recipient?.personId ?? null,
      deliveryId: noted.deliveryId ?? null,
      observedAt: event.created_at,
    });
  }
}

/** Decides a batch; writes nothing. */
export function planBatch(
  events: readonly EventRow[],
  facts: BatchFacts,
  deps: BatchDeps,
): Promise<BatchPlan> {
  return new BatchPlanner(facts, deps).plan(events);
}
