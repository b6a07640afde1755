/** SQL of Web Push: keys and browsers. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

/** A person with more browsers than this has forgotten some; the ones that were seen longest ago go. */
const MAX_SUBSCRIPTIONS = 10;

const storedKeys = z.strictObject({
  public_key: z.string(),
  private_key: z.string(),
});
export type StoredKeys = z.infer<typeof storedKeys>;

/** Null until the first server has made them. */
export async function findKeys(db: Queryable): Promise<StoredKeys | null> {
  const [row] = await db.rows(storedKeys, 'select public_key, private_key from push_keys');
  return row ?? null;
}

/** Of two servers that start at once, the keys of the first stay. */
export function insertKeys(db: Queryable, keys: StoredKeys): Promise<number> {
  return db.run('insert into push_keys (public_key, private_key) values ($1, $2) on conflict do nothing', [
    keys.public_key,
    keys.private_key,
  ]);
}

const subscription = z.strictObject({
  id: z.string(),
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
});
export type Subscription = z.infer<typeof subscription>;

export interface NewSubscription extends Omit<Subscription, 'id'> {
  personId: string;
  sessionId: string;
}

/** A browser is one subscription; who signed in there last has it. */
export async function saveSubscription(tx: Queryable, made: NewSubscription): Promise<void> {
  // What was sent there was for whoever had the browser before.
  await tx.run('delete from push_subscriptions where endpoint = $1 and person_id <> $2', [
    made.endpoint,
    made.personId,
  ]);
  await tx.run(
    `insert into push_subscriptions (person_id, session_id, endpoint, p256dh, auth) values ($1, $2, $3, $4, $5)
     on conflict (endpoint) do update
       set session_id = excluded.session_id, p256dh = excluded.p256dh,
           auth = excluded.auth`,
    [made.personId, made.sessionId, made.endpoint, made.p256dh, made.auth],
  );
  await tx.run(
    `delete from push_subscriptions where person_id = $1 and id not in
       (select id from push_subscriptions where person_id = $1 order by updated_at desc, id desc limit ${MAX_SUBSCRIPTIONS})`,
    [made.personId],
  );
}

const namedSubscription = subscription.extend({ device: z.string() });

/** The person's own subscription with that endpoint, or that id, and what its browser says that it is. */
export async function findSubscription(
  db: Queryable,
  asked: { personId: string } & ({ endpoint: string } | { subscriptionId: string }),
): Promise<z.infer<typeof namedSubscription> | null> {
  const [column, value] =
    'endpoint' in asked ? (['endpoint', asked.endpoint] as const) : (['id', asked.subscriptionId] as const);
  const [row] = await db.rows(
    namedSubscription,
    `select browser.id, endpoint, p256dh, auth, coalesce(session.user_agent, '') as device
       from push_subscriptions as browser join identity_sessions as session on session.id = browser.session_id
      where person_id = $1 and browser.${column} = $2`,
    [asked.personId, value],
  );
  return row ?? null;
}

/** 0 when the person has no such browser. */
export function deleteOwnSubscription(
  db: Queryable,
  { personId, endpoint }: { personId: string; endpoint: string },
): Promise<number> {
  return db.run('delete from push_subscriptions where person_id = $1 and endpoint = $2', [
    personId,
    endpoint,
  ]);
}

/** For a browser that the push service knows no more. */
export function deleteSubscription(db: Queryable, id: string): Promise<number> {
  return db.run('delete from push_subscriptions where id = $1', [id]);
}
