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

/** Browsers of a person that have not been given this message yet, the one that was seen last first. */
export function browsersFor(
  db: Queryable,
  { personId, deliveryId }: { personId: string; deliveryId: string },
): Promise<PersonsBrowser[]> {
  return db.rows(
    browserRow,
    `select browser.id, endpoint, p256dh, auth, session_id, coalesce(session.user_agent, '') as device
       from push_subscriptions as browser join identity_sessions as session on session.id = browser.session_id
      where person_id = $1 and not exists (select from push_receipts as receipt
        where receipt.delivery_id = $2 and receipt.subscription_id = browser.id and receipt.accepted_at is not null)
      order by session.last_seen_at desc, browser.id`,
    [personId, deliveryId],
  );
}

const idRow = z.strictObject({ id: z.string() });

/** The id by which the device speaks of the message; the same in each attempt. Without a delivery it is a test. */
export async function openReceipt(
  db: Queryable,
  to: { deliveryId: string | null; personId: string; subscriptionId: string; device: string },
): Promise<string> {
  const [row] = await db.rows(
    idRow,
    `insert into push_receipts (delivery_id, person_id, subscription_id, device) values ($1, $2, $3, $4)
     on conflict (delivery_id, subscription_id) do update set device = excluded.device returning id`,
    [to.deliveryId, to.personId, to.subscriptionId, to.device],
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

/** What a device of the person says; each time the first counts. 0 where nobody sent this to them. */
export function noteReceipt(
  db: Queryable,
  receipt: PushReceipt,
  by: { personId: string; now: Date },
): Promise<number> {
  const action = receipt.step === 'acted' ? receipt.action : null;
  return db.run(
    `update push_receipts set received_at = coalesce(received_at, $3::timestamptz),
       shown_at = case when $4 in ('shown', 'acted') then coalesce(shown_at, $3::timestamptz) else shown_at end,
       acted_at = case when $4 = 'acted' then coalesce(acted_at, $3::timestamptz) else acted_at end,
       action = case when action is null or action = 'dismiss' then coalesce($5, action) else action end
      where id = $1 and person_id = $2`,
    [receipt.id, by.personId, by.now, receipt.step, action],
  );
}

/** Whether a device showed it, or somebody acted on it. */
export async function isConfirmed(db: Queryable, deliveryId: string): Promise<boolean> {
  const sql = `select exists (select from push_receipts where delivery_id = $1 and shown_at is not null)::text`;
  return (await db.text(sql, [deliveryId])) === 'true';
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
