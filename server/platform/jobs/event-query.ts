/** SQL of the event queue (schema §7.3). */
import type { Queryable } from '../db/database.ts';

export interface QueuedEvent {
  id: string;
  name: string;
  properties: Record<string, unknown>;
  /** With this one, from 1. */
  attempts: number;
  /** When it was taken: who asks for the same event meanwhile, starts it afresh. */
  last_attempt: string;
  /** The same however often this event comes; another when it was asked for again. */
  key: string;
}

/** Tried again at most this often after the first time. */
const MOST_RETRIES = 3;

/**
 * Takes the next event of these names. It counts as a failed attempt until it is finished, so that a process that
 * dies over it costs an attempt and not the event; nobody else gets it before 60 s · attempts⁵ are over.
 */
export async function takeEvent(
  db: Queryable,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<QueuedEvent | null> {
  const rows = await db.rows<QueuedEvent>(
    `update event_queue set attempts = coalesce(attempts, 0) + 1, last_attempt = $2::timestamptz
      where id = (
        select id from event_queue
         where name = any($1) and coalesce(attempts, 0) <= ${MOST_RETRIES}
           -- Upstream counts the delay in nanoseconds; so does this column.
           and (delay is null or created_at + delay / 1000 * interval '1 microsecond' <= $2::timestamptz)
           and (last_attempt is null
             or last_attempt + 60 * power(coalesce(attempts, 0), 5) * interval '1 second' <= $2::timestamptz)
         order by priority desc, created_at limit 1 for update skip locked)
     returning id, name, coalesce(properties, '{}') as properties, attempts, last_attempt,
       id::text || ' ' || (extract(epoch from created_at) * 1000000)::bigint as key`,
    [names, now],
  );
  return rows[0] ?? null;
}

/** Done; unless it was asked for again meanwhile, which is another time. */
export function finishEvent(db: Queryable, event: QueuedEvent): Promise<number> {
  return db.run('delete from event_queue where id = $1 and last_attempt = $2::timestamptz', [
    event.id,
    event.last_attempt,
  ]);
}

export function failEvent(db: Queryable, event: QueuedEvent, error: string): Promise<number> {
  return db.run('update event_queue set error = $3 where id = $1 and last_attempt = $2::timestamptz', [
    event.id,
    event.last_attempt,
    error,
  ]);
}

/** Has only these events noted from now on, and forgets what was noted for nobody. */
export async function subscribeEvents(db: Queryable, names: readonly string[]): Promise<void> {
  await db.run('delete from event_subscriptions where name <> all($1::text[])', [names]);
  await db.run('insert into event_subscriptions (name) select unnest($1::text[]) on conflict do nothing', [
    names,
  ]);
  await db.run('delete from event_queue where name <> all($1::text[])', [names]);
}

/** Forgets what nobody wanted. */
export function purgeEvents(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from event_queue where created_at < $1::timestamptz', [before]);
}
