/**
 * From events to messages: the flow of schema §7.1, step by step, for a batch at a time. Owns what becomes of each
 * event for each rule; reads, evaluates, and answers what is to be written, so that all of it is written together with
 * the end of the events, or nothing is.
 */
import { defaultTitle } from '../../../src/domain/notification/default-message.ts';
import {
  askedBy,
  CUT_OFF,
  isRepeated,
  repeatIntervalMs,
  SEES_AGAIN,
} from '../../../src/domain/notification/notification-rule.ts';
import { heldUntilMs, isUrgentMessage } from '../../../src/domain/notification/reach.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { toldKey, type NewHistory } from '../delivery/history-query.ts';
import type { EventRow } from '../rules/event-batch-query.ts';
import { heldBackBy, type Holders } from '../holding/held-back.ts';
import { MESSAGES } from './messages.ts';
import { MessagePlanner, type MessagePlan, type PlanState } from './message-plan.ts';
import { recipientsOf, type Recipient } from '../rules/recipients.ts';
import { environmentOf, isWanted } from '../rules/rule-environment.ts';
import { textMap, type RuleRow } from '../rules/rule-query.ts';
import { factsOf, subjectKindOf } from '../rules/subject.ts';
import type { SubjectRow } from '../rules/subject-query.ts';

/** What is known before the batch is looked at. */
export interface BatchFacts extends PlanState, Holders {
  rules: readonly RuleRow[];
  /** By event. */
  subjects: ReadonlyMap<EventRow, SubjectRow>;
  /** Some of the checks that nobody can see, where an event says so. */
  blind: readonly SubjectRow[];
  /** There are others: nobody must miss it whose checks are among those. */
  hasMoreBlind: boolean;
  /** When each was told of last (history-query). */
  told: Map<string, number>;
}

export interface BatchDeps {
  expressions: Pick<Expressions, 'evaluate'>;
  publicUrl: () => string;
  newId: () => string;
  hasMail: boolean;
}

/** Words of a snooze that is over, where that is why rules are asked again; else null. */
function snoozeOf({ about }: EventRow): string | null {
  const { after, by } = about;
  return typeof after === 'string' ? MESSAGES.snoozeEnded(typeof by === 'string' ? by : '') : null;
}

/** The only rule that is asked, where that is one that held it (ask-held); else null. */
const heldBy = ({ about: { rule } }: EventRow): string | null => (typeof rule === 'string' ? rule : null);

/** Why rules are asked again, in words; null where they are not. */
const againOf = (event: EventRow): string | null =>
  snoozeOf(event) ?? (heldBy(event) === null ? null : MESSAGES.upAgain);

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
  private readonly toldOnce = new Set<string>();

  constructor(facts: BatchFacts, deps: BatchDeps) {
    this.facts = facts;
    this.deps = deps;
    this.messages = new MessagePlanner(facts, deps.newId);
  }

  async plan(events: readonly EventRow[]): Promise<BatchPlan> {
    const known = events.flatMap((event) => {
      const subject = this.facts.subjects.get(event);
      return subject === undefined ? [] : [{ event, subject }];
    });
    // What is above comes first: what is below it goes with it, whatever happened first.
    const fromTop = known.toSorted((a, b) => a.subject.above.length - b.subject.above.length);
    for (const { event, subject } of fromTop) await this.ask(event, subject);
    return { history: this.history, ruleErrors: this.ruleErrors, ...this.messages.planned() };
  }

  private async ask(event: EventRow, subject: SubjectRow): Promise<void> {
    const variables = environmentOf({
      event: event.name,
      subject,
      publicUrl: this.deps.publicUrl(),
      channel: '',
    });
    const only = heldBy(event);
    for (const rule of this.facts.rules) {
      if (only !== null && only !== rule.id) continue;
      if (!askedBy(event.name).some((name) => rule.events.includes(name)) || this.ruleErrors.has(rule.id))
        continue;
      if (subjectKindOf(event.name) === 'monitor') {
        if (await this.concerns(event, subject, rule)) this.tellOnce({ event, subject, rule, variables });
        continue;
      }
      const verdict = await isWanted(this.deps.expressions, rule.filter, variables);
      if (verdict.kind === 'error') this.ruleErrors.set(rule.id, MESSAGES.filterFailed(verdict.error));
      if (verdict.kind === 'yes') await this.tell({ event, subject, rule, variables });
    }
  }

  private async tell(asked: Asked): Promise<void> {
    const recipients = await this.wantedBy(asked);
    if (recipients.length === 0) return;
    const isAfterSnooze = snoozeOf(asked.event) !== null;
    const question = { ...asked, event: asked.event.name, isAfterSnooze };
    const heldBack = await heldBackBy(this.facts, question, this.deps.expressions);
    if (heldBack !== null) {
      this.note(asked, { status: 'silenced', reason: heldBack });
      return;
    }
    if (!isAfterSnooze && this.isRepeat(asked)) {
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

  /**
   * Whether a rule is told that the server can't see: it would be told of one of the checks that are unknown for that.
   * That it sees again is told to who was told of the beginning.
   */
  private async concerns({ name }: EventRow, subject: SubjectRow, rule: RuleRow): Promise<boolean> {
    if (name === SEES_AGAIN) return this.facts.told.has(toldKey(rule.id, subject.id, CUT_OFF));
    if ((rule.filter ?? '').trim() === '' || recordOf(subject.env['monitor'])['type'] === 'clock')
      return true;
    for (const check of this.facts.blind) {
      const publicUrl = this.deps.publicUrl();
      const variables = environmentOf({ event: 'check.failed', subject: check, publicUrl, channel: '' });
      if ((await isWanted(this.deps.expressions, rule.filter, variables)).kind === 'yes') return true;
    }
    return this.facts.hasMoreBlind && rule.events.some((event) => event.startsWith('check.'));
  }

  /** One message for a person or place, whatever number of rules names it. */
  private tellOnce(asked: Asked): void {
    const recipients = recipientsOf(asked.rule, this.deps);
    const fresh = recipients.filter(
      ({ place, key }) => !this.toldOnce.has(`${asked.event.id} ${place ?? key}`),
    );
    for (const recipient of fresh) {
      // Where the limit of one rule is reached, another tells.
      if (this.send(asked, recipient))
        this.toldOnce.add(`${asked.event.id} ${recipient.place ?? recipient.key}`);
    }
  }

  /** Answers whether it becomes part of a message. */
  private send(asked: Asked, recipient: Recipient): boolean {
    const { event, subject, rule } = asked;
    const heldMs = this.heldMs(asked, recipient);
    const placed = this.messages.place({ event, subject, rule, recipient: recipient.key, heldMs });
    if (placed.kind === 'limited') {
      this.note(asked, { status: 'cancelled', reason: MESSAGES.limited, recipient });
      return false;
    }
    const reason = placed.isFlapping ? MESSAGES.flapping(placed.changes) : againOf(event);
    this.note(asked, { status: 'pending', reason, recipient, deliveryId: placed.deliveryId });
    return true;
  }

  /** Until when the person's quiet hours hold it, ms; null where nothing does. */
  private heldMs({ rule, subject }: Asked, { reach }: Recipient): number | null {
    if (reach === null) return null;
    const { severity } = recordOf(subject.env['incident']);
    const isUrgent = isUrgentMessage(
      textMap(rule.properties),
      typeof severity === 'string' ? severity : null,
    );
    return heldUntilMs(reach, { nowMs: this.facts.nowMs, isUrgent });
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
