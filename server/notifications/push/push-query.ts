/** SQL of Web Push: keys, browsers, and what waits to be sent. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';

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
  // What waits there is for whoever had the browser before.
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

/** For a browser that the push service knows no more; its messages go with it. */
export function deleteSubscription(db: Queryable, id: string): Promise<number> {
  return db.run('delete from push_subscriptions where id = $1', [id]);
}

const dueMessage = subscription.extend({
  subscription_id: z.string(),
  person_id: z.string(),
  session_id: z.string(),
  kind: z.enum(['mention', 'responder', 'approval']),
  attempts: z.number(),
  created_at: z.string(),
  /** Of a call for approval: the run, and what it would do to what. */
  run: z
    .strictObject({
      id: z.string(),
      playbook: z.string(),
      resource: z.string().nullable(),
      /** It waits, and this person may still approve it and has not. */
      is_asked: z.boolean(),
    })
    .nullable(),
  /** Null for what is about no incident. */
  incident_id: z.string().nullable(),
  number: z.string().nullable(),
  title: z.string().nullable(),
  closed: z.string().nullable(),
  comment_id: z.string().nullable(),
  comment: z.string().nullable(),
  /** The responder was taken off again. */
  is_removed: z.boolean(),
  team: z.string().nullable(),
  who: z.string().nullable(),
  /** Read on another device meanwhile. */
  is_read: z.boolean(),
});
export type DueMessage = z.infer<typeof dueMessage>;

const IS_DUE = 'item.next_attempt_at <= $1::timestamptz';

export const PUSH_TABLE: QueueTable<DueMessage> = {
  name: 'push_messages',
  key: 'id',
  where: IS_DUE,
  order: 'item.created_at',
  claim: (tx, keys, now) =>
    tx.rows(
      dueMessage,
      `update push_messages as item set attempts = item.attempts + 1
         from push_subscriptions as subscription, push_messages as self
         left join incidents on incidents.id = self.incident_id
        where item.id = any($2::uuid[]) and ${IS_DUE}
          and subscription.id = item.subscription_id and self.id = item.id
        returning item.id, item.subscription_id, item.kind, item.attempts,
              item.created_at, item.comment_id, subscription.person_id, subscription.session_id,
              subscription.endpoint, subscription.p256dh, subscription.auth, incidents.id as incident_id,
              incidents.incident_id as number, incidents.title, incidents.closed,
              (select comment from comments where comments.id = item.comment_id) as comment,
              exists (select 1 from responders where responders.id = item.responder_id
                and responders.deleted_at is not null) as is_removed,
              (select teams.name from responders join teams on teams.id = responders.team_id
                where responders.id = item.responder_id) as team,
              (select people.name from people where people.id = item.created_by) as who,
              (select jsonb_build_object('id', run.id,
                  'playbook', coalesce(nullif(playbook.title, ''), playbook.name),
                  'resource', coalesce((select name from config_items where id = run.config_id),
                    (select name from components where id = run.component_id),
                    (select name from checks where id = run.check_id)),
                  'is_asked', run.status = 'pending_approval'
                    and subscription.person_id in (select run_approvers(run.spec))
                    and not exists (select from playbook_approvals as given
                      where given.run_id = run.id and given.person_id = subscription.person_id))
                from playbook_runs as run join playbooks as playbook on playbook.id = run.playbook_id
                where run.id = item.run_id) as run,
              exists (select 1 from incident_reads where incident_reads.incident_id = item.incident_id
                and incident_reads.person_id = subscription.person_id
                and incident_reads.read_at >= item.created_at) as is_read`,
      [now, keys],
    ),
};

/** For one that was sent, or is of no use any more. */
export function deleteMessage(db: Queryable, id: string): Promise<number> {
  return db.run('delete from push_messages where id = $1', [id]);
}

/** Waits until `at`. */
export function retryMessage(db: Queryable, id: string, at: Date): Promise<number> {
  return db.run('update push_messages set next_attempt_at = $2::timestamptz where id = $1', [id, at]);
}
