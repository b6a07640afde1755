/** SQL of the event queue (schema §7.3). */
import { z } from 'zod';
import { jsonObject } from '../db/row-schema.ts';
import type { Queryable } from '../db/database.ts';
import type { QueueTable } from './lease-queue-query.ts';

const queuedEvent = z.strictObject({
  id: z.string(),
  name: z.string(),
  properties: jsonObject,
  /** With this one, from 1. */
  attempts: z.number(),
  /** When it was taken: who asks for the same event meanwhile, starts it afresh. */
  last_attempt: z.string(),
  /** The same however often this event comes; another when it was asked for again. */
  key: z.string(),
});
export type QueuedEvent = z.infer<typeof queuedEvent>;

/** Tried again at most this often after the first time. */
const MOST_RETRIES = 3;

/** What failed, or was left by a process that died over it, comes again 60 s · attempts⁵ after it was taken. */
const IS_DUE = `coalesce(item.attempts, 0) <= ${MOST_RETRIES}
  -- Upstream counts the delay in nanoseconds; so does this column.
  and (item.delay is null or item.created_at + item.delay / 1000 * interval '1 microsecond' <= $1::timestamptz)
  and (item.last_attempt is null or $1::timestamptz >=
    item.last_attempt + 60 * power(coalesce(item.attempts, 0), 5) * interval '1 second')`;

/** Events of these names. */
export const eventTable = (names: readonly string[]): QueueTable<QueuedEvent> => ({
  name: 'event_queue',
  key: 'id',
  where: `item.name = any($2) and ${IS_DUE}`,
  order: 'item.priority desc, item.created_at',
  params: [names],
  claim: (tx, keys, now) =>
    tx.rows(
      queuedEvent,
      `update event_queue as item set attempts = coalesce(attempts, 0) + 1, last_attempt = $1::timestamptz
        where item.id = any($2::uuid[]) and ${IS_DUE}
       returning id, name, coalesce(properties, '{}') as properties, attempts, last_attempt,
         id::text || ' ' || (extract(epoch from created_at) * 1000000)::bigint as key`,
      [now, keys],
    ),
});

/** No attempt is left after this one. */
export const isLastAttempt = ({ attempts }: QueuedEvent): boolean => attempts > MOST_RETRIES;

/** Done; unless it was asked for again meanwhile, which is another time. */
export function finishEvent(db: Queryable, event: QueuedEvent): Promise<number> {
  return db.run('delete from event_queue where id = $1 and last_attempt = $2::timestamptz', [
    event.id,
    event.last_attempt,
  ]);
}

/** Notes why; 0 when somebody asked for the event again meanwhile. */
export function failEvent(db: Queryable, event: QueuedEvent, error: string): Promise<number> {
  return db.run('update event_queue set error = $3 where id = $1 and last_attempt = $2::timestamptz', [
    event.id,
    event.last_attempt,
    error,
  ]);
}

/** Gives failed events all their attempts again, at once; answers the names of those that still were there. */
export async function retryEvents(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows(
    z.strictObject({ name: z.string() }),
    `update event_queue set attempts = 0, last_attempt = null, delay = null, error = null
      where id = any($1::uuid[]) and error is not null returning name`,
    [ids],
  );
  return rows.map(({ name }) => name);
}

/** Has only these events noted from now on, those on demand while a row wants them; forgets what was for nobody. */
export async function subscribeEvents(
  db: Queryable,
  names: readonly string[],
  onDemand: readonly string[] = [],
): Promise<void> {
  await db.run('delete from event_subscriptions where name <> all($1::text[])', [names]);
  await db.run('insert into event_subscriptions (name) select unnest($1::text[]) on conflict do nothing', [
    names,
  ]);
  await db.run('delete from event_queue where name <> all($1::text[])', [[...names, ...onDemand]]);
}

/** Forgets what nobody wanted. */
export function purgeEvents(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from event_queue where created_at < $1::timestamptz', [before]);
}
