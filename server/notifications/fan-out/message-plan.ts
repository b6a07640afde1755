/**
 * Which message each thing becomes part of, while a batch is planned: alone, in a group, in a digest, or together with
 * what is above it. Knows what is open in the database, and what the batch itself has made.
 */
import { holdOf } from '../../../src/domain/notification/hold-back.ts';
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
}

interface Place {
  event: EventRow;
  subject: SubjectRow;
  rule: RuleRow;
  recipient: string;
}

type Placed =
  | { kind: 'placed'; deliveryId: string; isFlapping: boolean; changes: number }
  | { kind: 'limited' };

const DOWN_EVENTS = ['config.unhealthy', 'component.unhealthy'];

export interface MessagePlanner {
  /** The name of what is above it, is down and was told of; null where there is none. */
  parentOf(ruleId: string, event: string, subject: SubjectRow): string | null;
  place(asked: Place): Placed;
  planned(): MessagePlan;
}

/** One for each batch. */
export function createMessagePlan(state: PlanState, newId: () => string): MessagePlanner {
  const { nowMs } = state;
  const deliveries: NewDelivery[] = [];
  const takeOvers: MessagePlan['takeOvers'] = [];
  const open = new Map(
    state.open.map((one) => [`${one.notification_id} ${one.recipient} ${one.kind} ${one.group_key}`, one.id]),
  );
  const made = new Map<string, { singles: number; all: number; digestMs: number | null }>();
  /** Messages of this batch about something that is down, by rule, recipient and resource. */
  const downHere = new Map<string, string>();
  const changedHere = new Map<string, number>();

  const madeFor = (key: string) => {
    const counts = made.get(key) ?? { singles: 0, all: 0, digestMs: null };
    made.set(key, counts);
    return counts;
  };
  const sentOfRule = (ruleId: string) => {
    const own = (key: string) => key.startsWith(`${ruleId} `);
    const before = [...state.counts].filter(([key]) => own(key)).reduce((sum, [, { all }]) => sum + all, 0);
    return [...made].filter(([key]) => own(key)).reduce((sum, [, { all }]) => sum + all, before);
  };
  const aboveIn = ({ event, subject, rule, recipient }: Place): string | undefined =>
    isDownEvent(event.name)
      ? subject.above
          .map((id) => downHere.get(`${rule.id} ${recipient} ${id}`))
          .find((id) => id !== undefined)
      : undefined;

  function add(
    asked: Place,
    kind: NewDelivery['kind'],
    { groupKey, dueMs }: { groupKey: string; dueMs: number },
  ) {
    const { rule, recipient, event, subject } = asked;
    const id = newId();
    const above = kind === 'single' && isDownEvent(event.name) ? subject.above : [];
    deliveries.push({
      id,
      notificationId: rule.id,
      recipient,
      kind,
      groupKey,
      above,
      dueAt: new Date(dueMs),
    });
    const counts = madeFor(`${rule.id} ${recipient}`);
    counts.all += 1;
    if (kind === 'single') counts.singles += 1;
    if (kind === 'digest') counts.digestMs = nowMs;
    if (kind !== 'single') open.set(`${rule.id} ${recipient} ${kind} ${groupKey}`, id);
    return id;
  }

  function place(asked: Place): Placed {
    const { event, subject, rule, recipient } = asked;
    const parent = aboveIn(asked);
    if (parent !== undefined) return { kind: 'placed', deliveryId: parent, isFlapping: false, changes: 0 };
    const perResource = `${rule.id} ${subject.id}`;
    const own = (changedHere.get(`${perResource} ${recipient}`) ?? 0) + 1;
    changedHere.set(`${perResource} ${recipient}`, own);
    const changes = (state.changes.get(perResource) ?? 0) + own;
    const key = `${rule.id} ${recipient}`;
    const before = state.counts.get(key);
    const here = madeFor(key);
    const groupBy = rule.group_by ?? [];
    const groupKey = groupBy.length === 0 ? '' : groupKeyOf(groupBy, groupFacts(event.name, subject.env));
    const hold = holdOf({
      nowMs,
      sentOfRule: sentOfRule(rule.id),
      singles: (before?.singles ?? 0) + here.singles,
      lastDigestMs: here.digestMs ?? before?.digestMs ?? null,
      isDigestOpen: open.has(`${key} digest `),
      isGroupOpen: open.has(`${key} group ${groupKey}`),
      changes,
      hasGroup: groupBy.length > 0,
      waitMs: waitForMs(rule.wait_for),
      mayBeBelow:
        isDownEvent(event.name) &&
        subject.above.length > 0 &&
        rule.events.some((one) => DOWN_EVENTS.includes(one)),
    });
    if (hold.kind === 'limited') return hold;
    const held = { groupKey: hold.kind === 'group' ? groupKey : '', dueMs: hold.dueMs };
    const joined = hold.kind === 'single' ? undefined : open.get(`${key} ${hold.kind} ${held.groupKey}`);
    const deliveryId = joined ?? add(asked, hold.kind, held);
    if (isDownEvent(event.name)) {
      downHere.set(`${key} ${subject.id}`, deliveryId);
      // Nothing is below a check.
      if (!event.name.startsWith('check.'))
        takeOvers.push({
          deliveryId,
          notificationId: rule.id,
          recipient,
          resourceId: subject.id,
          depth: subject.above.length,
        });
    }
    return { kind: 'placed', deliveryId, isFlapping: hold.isFlapping, changes };
  }

  return {
    parentOf(ruleId, event, subject) {
      if (!isDownEvent(event)) return null;
      for (const id of subject.above) {
        const name = state.down.get(`${ruleId} ${id}`);
        if (name !== undefined) return name;
      }
      return null;
    },
    place,
    planned: () => ({ deliveries, takeOvers }),
  };
}
