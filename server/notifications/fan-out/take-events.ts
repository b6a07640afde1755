/**
 * Takes events to the rules, a batch at a time, by one server: what follows from a batch and the end of its events are
 * written together, under the lease, so that a server that dies or freezes over it leaves it whole for the next.
 */
import { AppError } from '../../../src/contract/errors.ts';
import {
  FLAPPING_WINDOW_MS,
  FLOOD_WINDOW_MS,
  RATE_WINDOW_MS,
} from '../../../src/domain/notification/hold-back.ts';
import { askedBy, CUT_OFF } from '../../../src/domain/notification/notification-rule.ts';
import { links } from '../../../src/domain/links.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { Courier } from '../../platform/mail/courier.ts';
import {
  countDeliveries,
  holdOpen,
  insertDeliveries,
  openGroups,
  takeOver,
} from '../delivery/delivery-query.ts';
import {
  changesSince,
  countUp,
  insertHistory,
  lastTold,
  toldDown,
  type NewHistory,
} from '../delivery/history-query.ts';
import { mailText } from '../senders/mail-sender.ts';
import { silencesAt } from '../silences/active-silences-query.ts';
import { finishEvents, nextEvents, type EventRow } from '../rules/event-batch-query.ts';
import { MESSAGES } from './messages.ts';
import { planBatch, type BatchDeps, type BatchFacts, type BatchPlan } from './plan-batch.ts';
import { noteRuleError, rulesFor } from '../rules/rule-query.ts';
import { acknowledgeable } from '../holding/held-back.ts';
import { acknowledgedAmong } from '../holding/known-query.ts';
import { subjectKindOf } from '../rules/subject.ts';
import { blindChecks, subjectsOf, type SubjectKind, type SubjectRow } from '../rules/subject-query.ts';
import { addTo } from '../../../src/lib/group-by.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

/** Larger ones make a storm shorter, and what is rolled back with a lost lease longer. */
export const BATCH = 2000;
/** Each but the last lost a race with who sends. */
const MOST_ROUNDS = 5;
/** What is down since longer is old news: what comes below it is told of by itself. */
const DOWN_SINCE_MS = 24 * 3_600_000;

export interface TakeDeps extends BatchDeps {
  /** Under the lease of who takes events. */
  db: Database;
  courier: Pick<Courier, 'enqueue'>;
  now: () => number;
}

const idOf = ({ about }: EventRow): string => (typeof about['id'] === 'string' ? about['id'] : '');

async function subjectsFor(db: Queryable, events: readonly EventRow[]): Promise<Map<EventRow, SubjectRow>> {
  const byKind = new Map<SubjectKind, EventRow[]>();
  for (const event of events) {
    const kind = subjectKindOf(event.name);
    if (kind !== null && idOf(event) !== '') addTo(byKind, kind, event);
  }
  const subjects = new Map<EventRow, SubjectRow>();
  for (const [kind, own] of byKind) {
    const rows = new Map((await subjectsOf(db, kind, own.map(idOf))).map((row) => [row.id, row]));
    for (const event of own) {
      const row = rows.get(idOf(event));
      if (row !== undefined) subjects.set(event, row);
    }
  }
  return subjects;
}

/** So many are asked about at most, whether a rule is concerned; of more, it is told without being asked. */
const MOST_BLIND = 200;

async function blindFor(
  db: Queryable,
  events: readonly EventRow[],
): Promise<Pick<BatchFacts, 'blind' | 'hasMoreBlind'>> {
  const outages = events.filter(({ name }) => name === CUT_OFF).map(idOf);
  if (outages.length === 0) return { blind: [], hasMoreBlind: false };
  const ids = await blindChecks(db, outages, MOST_BLIND + 1);
  const blind = await subjectsOf(db, 'check', ids.slice(0, MOST_BLIND));
  return { blind, hasMoreBlind: ids.length > MOST_BLIND };
}

async function factsFor(deps: TakeDeps, events: readonly EventRow[]): Promise<BatchFacts> {
  const { db } = deps;
  const nowMs = deps.now();
  const ago = (ms: number) => new Date(nowMs - ms);
  const rules = await rulesFor(db, [...new Set(events.flatMap(({ name }) => askedBy(name)))]);
  const subjects = rules.length === 0 ? new Map<EventRow, SubjectRow>() : await subjectsFor(db, events);
  const ids = rules.map(({ id }) => id);
  const all = [...subjects.values()];
  const things = [...subjects].map(([{ name }, subject]) => ({ event: name, subject }));
  const own = { rules: ids, resources: [...new Set(all.map(({ id }) => id))] };
  const above = { rules: ids, resources: [...new Set(all.flatMap((subject) => subject.above))] };
  return {
    nowMs,
    rules,
    subjects,
    ...(await blindFor(db, events)),
    silences: await silencesAt(db, new Date(nowMs)),
    told: await lastTold(db, own),
    acknowledged: await acknowledgedAmong(db, acknowledgeable(things), new Date(nowMs)),
    changes: await changesSince(db, own, ago(FLAPPING_WINDOW_MS)),
    down: above.resources.length === 0 ? new Map() : await toldDown(db, above, ago(DOWN_SINCE_MS)),
    open: await openGroups(db, ids),
    counts: await countDeliveries(db, ids, {
      limitSince: ago(RATE_WINDOW_MS),
      floodSince: ago(FLOOD_WINDOW_MS),
    }),
  };
}

const isCounted = ({ status }: NewHistory) => status === 'silenced' || status === 'repeat-interval';

/** A rule whose filter failed tells nobody any more: whoever made it hears of that, once. */
async function rest(
  tx: Queryable,
  { id, error }: { id: string; error: string },
  { courier, publicUrl }: Pick<TakeDeps, 'courier' | 'publicUrl'>,
): Promise<void> {
  const rule = await noteRuleError(tx, id, error);
  if (rule === null || !(rule.email ?? '').includes('@')) return;
  const url = `${trimEnd(publicUrl(), '/')}${links.notificationRule(id)}`;
  const mail = mailText({
    key: id,
    title: MESSAGES.restsTitle(rule.name),
    body: MESSAGES.restsBody(error),
    properties: {},
    links: [{ label: MESSAGES.openRule, url }],
  });
  await courier.enqueue(tx, rule.email, mail);
}

/** Answers false, and writes nothing, where somebody has begun to send a message that it adds to. */
async function write(
  tx: Queryable,
  {
    events,
    plan,
    deps,
  }: { events: readonly EventRow[]; plan: BatchPlan & { nowMs: number }; deps: TakeDeps },
): Promise<boolean> {
  if (plan.joined.length > 0 && !(await holdOpen(tx, plan.joined))) return false;
  const now = new Date(plan.nowMs);
  const held = plan.history.filter(isCounted);
  const counted = held.length === 0 ? new Set<number>() : await countUp(tx, held, now);
  const rows = [
    ...plan.history.filter((row) => !isCounted(row)),
    ...held.filter((_, at) => !counted.has(at)),
  ];
  if (plan.deliveries.length > 0) await insertDeliveries(tx, plan.deliveries, now);
  if (rows.length > 0) await insertHistory(tx, rows, now);
  await takeOver(tx, plan.takeOvers);
  for (const [id, error] of plan.ruleErrors) await rest(tx, { id, error }, deps);
  await finishEvents(tx, events);
  return true;
}

export interface Taken {
  /** How many events. */
  taken: number;
  /** Whether something is to be sent now. */
  isSending: boolean;
  /** Whether a rule failed over them. */
  hasResting: boolean;
}

/** Takes the oldest events, so many at most. */
export async function takeEvents(deps: TakeDeps, most: number): Promise<Taken> {
  const events = await nextEvents(deps.db, most);
  if (events.length === 0) return { taken: 0, isSending: false, hasResting: false };
  // What was begun is no longer open when it is planned again.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const facts = await factsFor(deps, events);
    const plan = await planBatch(events, facts, deps);
    const isWritten = await deps.db.transaction((tx) =>
      write(tx, { events, plan: { ...plan, nowMs: facts.nowMs }, deps }),
    );
    if (isWritten)
      return {
        taken: events.length,
        isSending: plan.deliveries.length > 0,
        hasResting: plan.ruleErrors.size > 0,
      };
  }
  throw new AppError('conflict', 'messages were begun each time that something was to be added to them');
}
