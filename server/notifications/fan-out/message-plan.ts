/**
 * Which message each thing becomes part of, while a batch is planned: alone, in a group, in a digest, or together with
 * what is above it. Knows what is open in the database, and what the batch itself has made.
 */
import { holdOf, holdQuietly, type HoldFacts } from '../../../src/domain/notification/hold-back.ts';
import { groupKeyOf, isDownEvent, waitForMs } from '../../../src/domain/notification/notification-rule.ts';
import type { NewDelivery, OpenDelivery, SentCounts, TakeOver } from '../delivery/delivery-query.ts';
import type { EventRow } from '../rules/event-batch-query.ts';
import type { RuleRow } from '../rules/rule-query.ts';
import { groupFacts } from '../rules/subject.ts';
import type { SubjectRow } from '../rules/subject-query.ts';

export interface PlanState {
  nowMs: number;
  open: readonly OpenDelivery[];
  /** By rule and recipient. */
  counts: ReadonlyMap<string, SentCounts>;
  /** By rule and resource: changes within the last hour. */
  changes: ReadonlyMap<string, number>;
  /** By rule and resource: what is down and was told of, with its name. */
  down: ReadonlyMap<string, string>;
}

export interface MessagePlan {
  deliveries: NewDelivery[];
  /** Messages that take what waits about things below into them. */
  takeOvers: TakeOver[];
  /** Messages that were open before and take something in: nobody may have begun to send them meanwhile. */
  joined: string[];
}

interface Place {
  event: EventRow;
  subject: SubjectRow;
  rule: RuleRow;
  recipient: string;
  /** Quiet hours of the recipient hold it until then, ms. */
  heldMs: number | null;
}

type Placed =
  | { kind: 'placed'; deliveryId: string; isFlapping: boolean; changes: number }
  | { kind: 'limited' };

/** What quiet hours hold is a digest of its own: what may go now does not wait with it. */
const digestKeyOf = (heldMs: number | null): string => (heldMs === null ? '' : 'quiet');

const DOWN_EVENTS = ['config.unhealthy', 'component.unhealthy'];

interface Made {
  singles: number;
  all: number;
  digestMs: number | null;
}

/** One for each batch. */
export class MessagePlanner {
  private readonly state: PlanState;
  private readonly newId: () => string;
  private readonly deliveries: NewDelivery[] = [];
  private readonly takeOvers: TakeOver[] = [];
  /** Groups and digests that can be joined, by rule, recipient, kind and group. */
  private readonly open: Map<string, string>;
  private readonly used = new Set<string>();
  private readonly made = new Map<string, Made>();
  /** Messages of this batch about something that is down, by rule, recipient and resource. */
  private readonly downHere = new Map<string, string>();
  private readonly changedHere = new Map<string, number>();

  constructor(state: PlanState, newId: () => string) {
    this.state = state;
    this.newId = newId;
    this.open = new Map(
      state.open.map((one) => [
        `${one.notification_id} ${one.recipient} ${one.kind} ${one.group_key}`,
        one.id,
      ]),
    );
  }

  /** The name of what is above it, is down and was told of; null where there is none. */
  parentOf(ruleId: string, event: string, subject: SubjectRow): string | null {
    if (!isDownEvent(event)) return null;
    for (const id of subject.above) {
      const name = this.state.down.get(`${ruleId} ${id}`);
      if (name !== undefined) return name;
    }
    return null;
  }

  place(asked: Place): Placed {
    const parent = this.aboveIn(asked);
    if (parent !== undefined) return { kind: 'placed', deliveryId: parent, isFlapping: false, changes: 0 };
    const { event, subject, rule, recipient } = asked;
    const key = `${rule.id} ${recipient}`;
    const groupBy = rule.group_by ?? [];
    const groupKey = groupBy.length === 0 ? '' : groupKeyOf(groupBy, groupFacts(event.name, subject.env));
    const changes = this.changesOf(asked);
    const facts = this.factsOf(asked, { groupKey, changes });
    const hold = asked.heldMs === null ? holdOf(facts) : holdQuietly(facts, asked.heldMs);
    if (hold.kind === 'limited') return hold;
    const digestKey = hold.kind === 'digest' ? digestKeyOf(asked.heldMs) : '';
    const held = { groupKey: hold.kind === 'group' ? groupKey : digestKey, dueMs: hold.dueMs };
    const open = hold.kind === 'single' ? undefined : this.open.get(`${key} ${hold.kind} ${held.groupKey}`);
    const deliveryId = open ?? this.add(asked, hold.kind, held);
    this.used.add(deliveryId);
    if (isDownEvent(event.name)) this.noteDown(asked, deliveryId);
    return { kind: 'placed', deliveryId, isFlapping: hold.isFlapping, changes };
  }

  planned(): MessagePlan {
    const joined = this.state.open.map(({ id }) => id).filter((id) => this.used.has(id));
    return { deliveries: this.deliveries, takeOvers: this.takeOvers, joined };
  }

  private factsOf(asked: Place, { groupKey, changes }: { groupKey: string; changes: number }): HoldFacts {
    const { event, subject, rule, recipient } = asked;
    const key = `${rule.id} ${recipient}`;
    const before = this.state.counts.get(key);
    const here = this.madeFor(key);
    const hasParents = isDownEvent(event.name) && subject.above.length > 0;
    return {
      nowMs: this.state.nowMs,
      sentOfRule: this.sentOfRule(rule.id),
      singles: (before?.singles ?? 0) + here.singles,
      lastDigestMs: here.digestMs ?? before?.digestMs ?? null,
      isDigestOpen: this.open.has(`${key} digest ${digestKeyOf(asked.heldMs)}`),
      isGroupOpen: this.open.has(`${key} group ${groupKey}`),
      changes,
      hasGroup: (rule.group_by ?? []).length > 0,
      waitMs: waitForMs(rule.wait_for),
      mayBeBelow: hasParents && rule.events.some((one) => DOWN_EVENTS.includes(one)),
    };
  }

  private changesOf({ subject, rule, recipient }: Place): number {
    const perResource = `${rule.id} ${subject.id}`;
    const here = (this.changedHere.get(`${perResource} ${recipient}`) ?? 0) + 1;
    this.changedHere.set(`${perResource} ${recipient}`, here);
    return (this.state.changes.get(perResource) ?? 0) + here;
  }

  private noteDown({ event, subject, rule, recipient }: Place, deliveryId: string): void {
    this.downHere.set(`${rule.id} ${recipient} ${subject.id}`, deliveryId);
    // Nothing is below a check.
    if (event.name.startsWith('check.')) return;
    const taker = { deliveryId, notificationId: rule.id, recipient, resourceId: subject.id };
    this.takeOvers.push({ ...taker, depth: subject.above.length });
  }

  private aboveIn({ event, subject, rule, recipient }: Place): string | undefined {
    if (!isDownEvent(event.name)) return undefined;
    return subject.above
      .map((id) => this.downHere.get(`${rule.id} ${recipient} ${id}`))
      .find((id) => id !== undefined);
  }

  private add(
    { rule, recipient, event, subject }: Place,
    kind: NewDelivery['kind'],
    { groupKey, dueMs }: { groupKey: string; dueMs: number },
  ): string {
    const id = this.newId();
    const above = kind === 'single' && isDownEvent(event.name) ? subject.above : [];
    const dueAt = new Date(dueMs);
    this.deliveries.push({ id, notificationId: rule.id, recipient, kind, groupKey, above, dueAt });
    const counts = this.madeFor(`${rule.id} ${recipient}`);
    counts.all += 1;
    if (kind === 'single') counts.singles += 1;
    if (kind === 'digest' && groupKey === digestKeyOf(null)) counts.digestMs = this.state.nowMs;
    if (kind !== 'single') this.open.set(`${rule.id} ${recipient} ${kind} ${groupKey}`, id);
    return id;
  }

  private madeFor(key: string): Made {
    const counts = this.made.get(key) ?? { singles: 0, all: 0, digestMs: null };
    this.made.set(key, counts);
    return counts;
  }

  private sentOfRule(ruleId: string): number {
    let sum = 0;
    for (const counts of [this.state.counts, this.made])
      for (const [key, { all }] of counts) if (key.startsWith(`${ruleId} `)) sum += all;
    return sum;
  }
}
