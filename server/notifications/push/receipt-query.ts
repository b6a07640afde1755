/** SQL of what became of messages on each device. */
import { z } from 'zod';
import type { PushReceipt } from '../../../src/contract/push.ts';
import type { Queryable } from '../../platform/db/database.ts';

const browserRow = z.strictObject({
  id: z.string(),
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  session_id: z.string(),
  /** What the browser says that it is. */
  device: z.string(),
});
export type PersonsBrowser = z.infer<typeof browserRow>;

/** What was sent: a message of rules (`notification_deliveries`), or one beside them (`push_messages`). */
export type PushedThing = { deliveryId: string } | { messageId: string };

const columnOf = (thing: PushedThing) =>
  'deliveryId' in thing
    ? (['delivery_id', thing.deliveryId] as const)
    : (['message_id', thing.messageId] as const);

/** Browsers of a person that have not been given this message yet, the one that was seen last first. */
export function browsersFor(
  db: Queryable,
  { personId, thing }: { personId: string; thing: PushedThing },
): Promise<PersonsBrowser[]> {
  const [column, id] = columnOf(thing);
  return db.rows(
    browserRow,
    `select browser.id, endpoint, p256dh, auth, session_id, coalesce(session.user_agent, '') as device
       from push_subscriptions as browser join identity_sessions as session on session.id = browser.session_id
      where person_id = $1 and not exists (select from push_receipts as receipt
        where receipt.${column} = $2 and receipt.subscription_id = browser.id and receipt.accepted_at is not null)
      order by session.last_seen_at desc, browser.id`,
    [personId, id],
  );
}

const idRow = z.strictObject({ id: z.string() });

/** The id by which the device speaks of the message; the same in each attempt. Without a thing it is a test. */
export async function openReceipt(
  db: Queryable,
  to: { thing: PushedThing | null; personId: string; subscriptionId: string; device: string },
): Promise<string> {
  const [column, id] = to.thing === null ? (['delivery_id', null] as const) : columnOf(to.thing);
  const [row] = await db.rows(
    idRow,
    `insert into push_receipts (${column}, person_id, subscription_id, device) values ($1, $2, $3, $4)
     on conflict (${column}, subscription_id) do update set device = excluded.device returning id`,
    [id, to.personId, to.subscriptionId, to.device],
  );
  return row?.id ?? '';
}

/** Its push service took it. */
export function noteAccepted(db: Queryable, id: string, now: Date): Promise<number> {
  return db.run(
    'update push_receipts set accepted_at = coalesce(accepted_at, $2::timestamptz) where id = $1',
    [id, now],
  );
}

const deliveryRow = z.strictObject({ delivery_id: z.string().nullable() });

/**
 * What a device of the person says; each time the first counts. False where nobody sent this to them. Rows of the
 * history that were told by this message are touched, so that screens that show one look again; not those of a digest.
 */
export async function noteReceipt(
  db: Queryable,
  receipt: PushReceipt,
  by: { personId: string; now: Date },
): Promise<boolean> {
  const action = receipt.step === 'acted' ? receipt.action : null;
  const [noted] = await db.rows(
    deliveryRow,
    `update push_receipts set received_at = coalesce(received_at, $3::timestamptz),
       shown_at = case when $4 in ('shown', 'acted') then coalesce(shown_at, $3::timestamptz) else shown_at end,
       acted_at = case when $4 = 'acted' then coalesce(acted_at, $3::timestamptz) else acted_at end,
       action = case when action is null or action = 'dismiss' then coalesce($5, action) else action end
      where id = $1 and person_id = $2 returning delivery_id`,
    [receipt.id, by.personId, by.now, receipt.step, action],
  );
  if (noted === undefined) return false;
  await db.run(
    `update notification_send_history as history set receipt_at = $2::timestamptz from notification_deliveries as delivery
      where delivery.id = $1 and delivery.kind <> 'digest' and history.delivery_id = delivery.id`,
    [noted.delivery_id, by.now],
  );
  return true;
}

/** Whether a device showed it, or somebody acted on it. */
export async function isConfirmed(db: Queryable, thing: PushedThing): Promise<boolean> {
  const [column, id] = columnOf(thing);
  const sql = `select exists (select from push_receipts where ${column} = $1 and shown_at is not null)::text`;
  return (await db.text(sql, [id])) === 'true';
}

/** Whether the device showed a test. */
export async function isShown(db: Queryable, id: string): Promise<boolean> {
  const sql = `select exists (select from push_receipts where id = $1 and shown_at is not null)::text`;
  return (await db.text(sql, [id])) === 'true';
}

/** Tests are kept as long as messages. */
export function purgeReceipts(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from push_receipts where created_at < $1::timestamptz', [before]);
}
