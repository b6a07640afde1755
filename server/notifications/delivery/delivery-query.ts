/** SQL of the messages that wait to be sent. */
import { z } from 'zod';
import { ACKNOWLEDGED_KINDS } from '../../../src/domain/notification/acknowledgement.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';
import { toJson } from '../../platform/db/to-json.ts';

const KINDS = ['single', 'group', 'digest'] as const;
export type DeliveryKind = (typeof KINDS)[number];

/** What is kept of a message besides title and body. */
const messageFacts = z.object({
  links: z.array(z.object({ label: z.string(), url: z.string() })).readonly(),
  about: z.object({ kind: z.enum(ACKNOWLEDGED_KINDS), id: z.string() }).nullable(),
});

const dueDelivery = z.strictObject({
  id: z.string(),
  notification_id: z.string(),
  recipient: z.string(),
  kind: z.enum(KINDS),
  attempts: z.number(),
  done_calls: z.number(),
  title: z.string().nullable(),
  body: z.string().nullable(),
  /** Of a message to a person: which of its ways it is at. */
  step: z.number(),
  message: messageFacts.nullable(),
});
export type DueDelivery = z.infer<typeof dueDelivery>;

/**
 * A digest waits for what happened before it was due and no rule was asked about yet, but not for ever. What happens
 * later is for the next one: a stream of events would else hold it for as long as it may be held. Until it is taken it is
 * open for what comes.
 */
const IS_GATHERING = `item.kind = 'digest' and item.attempts = 0
  and item.created_at > $1::timestamptz - interval '30 seconds'
  and exists (select from notification_events as event where event.created_at <= item.next_attempt_at)`;
const IS_DUE = `item.state = 'queued' and item.next_attempt_at <= $1::timestamptz and not (${IS_GATHERING})`;

export const DELIVERY_TABLE: QueueTable<DueDelivery> = {
  name: 'notification_deliveries',
  key: 'id',
  where: IS_DUE,
  order: 'item.next_attempt_at, item.id',
  claim: async (tx, keys, now) => {
    const rows = await tx.rows(
      dueDelivery,
      `update notification_deliveries as item set attempts = attempts + 1
        where item.id = any($2::uuid[]) and ${IS_DUE}
       returning id, notification_id, recipient, kind, attempts, done_calls, title, body, step, message`,
      [now, keys],
    );
    // The thousands of a digest stay pending until it is sent: each writing of a row goes to every device.
    const shown = rows.filter(({ kind }) => kind !== 'digest');
    if (shown.length > 0)
      await tx.run(
        `update notification_send_history set status = 'sending'
          where delivery_id = any($1::uuid[]) and status = 'pending'`,
        [shown.map(({ id }) => id)],
      );
    return rows;
  },
};

export interface NewDelivery {
  id: string;
  notificationId: string;
  recipient: string;
  kind: DeliveryKind;
  groupKey: string;
  above: readonly string[];
  dueAt: Date;
}

/** Many at once. */
export function insertDeliveries(db: Queryable, rows: readonly NewDelivery[], now: Date): Promise<number> {
  return db.run(
    `insert into notification_deliveries (id, notification_id, recipient, kind, group_key, above, next_attempt_at, created_at)
     select id, rule, recipient, kind, group_key, coalesce(string_to_array(nullif(above, ''), ',')::uuid[], '{}'), due, $8::timestamptz
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
         as given (id, rule, recipient, kind, group_key, above, due)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ notificationId }) => notificationId),
      rows.map(({ recipient }) => recipient),
      rows.map(({ kind }) => kind),
      rows.map(({ groupKey }) => groupKey),
      rows.map(({ above }) => above.join(',')),
      rows.map(({ dueAt }) => dueAt.toISOString()),
      now,
    ],
  );
}

const openRow = z.strictObject({
  id: z.string(),
  notification_id: z.string(),
  recipient: z.string(),
  kind: z.enum(KINDS),
  group_key: z.string(),
});
export type OpenDelivery = z.infer<typeof openRow>;

/** Whether nobody has begun to send a message; one that is sent again has its text already. */
const IS_OPEN = `kind <> 'single' and state = 'queued' and attempts = 0 and title is null`;

/** Groups and digests of the rules that nobody has begun to send. */
export function openGroups(db: Queryable, rules: readonly string[]): Promise<OpenDelivery[]> {
  return db.rows(
    openRow,
    `select id, notification_id, recipient, kind, group_key from notification_deliveries
      where notification_id = any($1::uuid[]) and ${IS_OPEN}`,
    [rules],
  );
}

/** Whether all of these are still open; they stay so until the transaction has ended. */
export async function holdOpen(tx: Queryable, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.rows(
    z.strictObject({ id: z.string() }),
    `select id from notification_deliveries where id = any($1::uuid[]) and ${IS_OPEN} order by id for update`,
    [ids],
  );
  return rows.length === ids.length;
}

const countRow = z.strictObject({
  notification_id: z.string(),
  recipient: z.string(),
  all: z.coerce.number(),
  singles: z.coerce.number(),
  digest_ms: z.coerce.number().nullable(),
});

export interface SentCounts {
  /** Messages in the window of the rate limit. */
  all: number;
  /** Of one thing each, in the window in which a flood is seen. */
  singles: number;
  /** When the last digest was made that no quiet hours held. */
  digestMs: number | null;
}

/** What each rule has sent or is about to send, by rule and recipient. */
export async function countDeliveries(
  db: Queryable,
  rules: readonly string[],
  { limitSince, floodSince }: { limitSince: Date; floodSince: Date },
): Promise<Map<string, SentCounts>> {
  const rows = await db.rows(
    countRow,
    `select notification_id, recipient, count(*) as all,
       count(*) filter (where kind = 'single' and created_at > $3::timestamptz) as singles,
       extract(epoch from max(created_at) filter (where kind = 'digest' and group_key = '')) * 1000 as digest_ms
     from notification_deliveries
     where notification_id = any($1::uuid[]) and state <> 'dropped' and created_at > $2::timestamptz
     group by 1, 2`,
    [rules, limitSince, floodSince],
  );
  return new Map(
    rows.map((row) => [
      `${row.notification_id} ${row.recipient}`,
      { all: row.all, singles: row.singles, digestMs: row.digest_ms },
    ]),
  );
}

export interface TakeOver {
  /** The message about what is above. */
  deliveryId: string;
  notificationId: string;
  recipient: string;
  resourceId: string;
  /** How many are above that: the topmost takes all. */
  depth: number;
}

const takenRow = z.strictObject({ id: z.string(), target: z.string() });

/** Takes what waits about things below others into the messages about those; it must not have been begun. */
export async function takeOver(db: Queryable, takers: readonly TakeOver[]): Promise<void> {
  if (takers.length === 0) return;
  const pairs = await db.rows(
    takenRow,
    `select distinct on (item.id) item.id, taker.delivery as target
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[])
         as taker (delivery, rule, recipient, resource, depth)
       join notification_deliveries as item on item.notification_id = taker.rule and item.recipient = taker.recipient
         and item.state = 'queued' and item.attempts = 0 and item.kind = 'single' and item.id <> taker.delivery
         and item.above @> array[taker.resource]
      order by item.id, taker.depth, taker.delivery`,
    [
      takers.map(({ deliveryId }) => deliveryId),
      takers.map(({ notificationId }) => notificationId),
      takers.map(({ recipient }) => recipient),
      takers.map(({ resourceId }) => resourceId),
      takers.map(({ depth }) => depth),
    ],
  );
  if (pairs.length === 0) return;
  // Whoever begins to send one meanwhile waits for us, and then finds nothing; or we for him, and leave it alone.
  await db.run(
    `with taken as (
       select item.id, pair.target from notification_deliveries as item
         join unnest($1::uuid[], $2::uuid[]) as pair (id, target) on pair.id = item.id
        where item.state = 'queued' and item.attempts = 0 for update of item
     ), moved as (
       update notification_send_history as history set delivery_id = taken.target from taken where history.delivery_id = taken.id
     )
     update notification_deliveries as item set state = 'dropped' from taken where item.id = taken.id`,
    [pairs.map(({ id }) => id), pairs.map(({ target }) => target)],
  );
}

const memberRow = z.strictObject({
  id: z.string(),
  resource_id: z.string(),
  source_event: z.string(),
  title: z.string().nullable(),
  reason: z.string().nullable(),
});
export type MemberRow = z.infer<typeof memberRow>;

/** What a message is about, the first thing first; also what one way to a person has sent, while others may follow. */
export function membersOf(db: Queryable, deliveryId: string): Promise<MemberRow[]> {
  return db.rows(
    memberRow,
    `select id, resource_id, source_event, title, reason from notification_send_history
      where delivery_id = $1 and status in ('pending', 'sending', 'sent') order by created_at, id`,
    [deliveryId],
  );
}

/** The text stays as it was first written. */
export function keepText(
  db: Queryable,
  id: string,
  { title, body, ...facts }: { title: string; body: string } & z.infer<typeof messageFacts>,
): Promise<number> {
  return db.run(
    `update notification_deliveries set title = $2, body = $3, message = $4::jsonb where id = $1 and title is null`,
    [id, title, body, toJson(facts)],
  );
}

/** Goes on to another way to its person, at `at`. */
export function moveOn(db: Queryable, id: string, { step, at }: { step: number; at: Date }): Promise<number> {
  return db.run(
    `update notification_deliveries set step = $2, next_attempt_at = $3::timestamptz, done_calls = 0 where id = $1`,
    [id, step, at],
  );
}

/** Comes again at `at`. */
export function postpone(
  db: Queryable,
  id: string,
  { at, doneCalls }: { at: Date; doneCalls: number },
): Promise<number> {
  return db.run(
    'update notification_deliveries set next_attempt_at = $2::timestamptz, done_calls = $3 where id = $1',
    [id, at, doneCalls],
  );
}

/** It is over. */
export function endDelivery(
  db: Queryable,
  id: string,
  { state, now }: { state: 'sent' | 'failed' | 'dropped'; now: Date },
): Promise<number> {
  return db.run('update notification_deliveries set state = $2, ended_at = $3::timestamptz where id = $1', [
    id,
    state,
    now,
  ]);
}

/** Sends a message again that failed; null when the history has no such one, or it is no failure. */
export async function retryDelivery(db: Queryable, historyId: string, now: Date): Promise<string | null> {
  const [row] = await db.rows(
    z.strictObject({ id: z.string() }),
    `update notification_deliveries as item set state = 'queued', attempts = 0, step = 0, next_attempt_at = $2::timestamptz, ended_at = null
       from notification_send_history as history
      where history.id = $1 and history.status = 'error' and item.id = history.delivery_id and item.state = 'failed'
     returning item.id`,
    [historyId, now],
  );
  if (row === undefined) return null;
  await db.run(
    `update notification_send_history set status = 'pending', error = null where delivery_id = $1 and status = 'error'`,
    [row.id],
  );
  return row.id;
}
