/** SQL of the way of responders to outside systems: waiting, delivered, failed; and when each is read next. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';
import type { Phase, Remote } from './adapters/adapter.ts';

const waitingCall = z.strictObject({
  /** Of the responder. */
  id: z.string(),
  attempts: z.number(),
  /** Somebody asked for another try after all attempts had failed. */
  was_tried: z.boolean(),
});
export type WaitingCall = z.infer<typeof waitingCall>;

/** Does nothing where it is known already. */
export function insertDelivery(db: Queryable, responderId: string, now: Date): Promise<number> {
  return db.run(
    `insert into responder_deliveries (responder_id, next_attempt_at) values ($1, $2::timestamptz)
     on conflict (responder_id) do nothing`,
    [responderId, now],
  );
}

const IS_DUE = `item.state = 'waiting' and item.next_attempt_at <= $1::timestamptz`;

export const CALL_TABLE: QueueTable<WaitingCall> = {
  name: 'responder_deliveries',
  key: 'responder_id',
  where: IS_DUE,
  order: 'item.next_attempt_at',
  claim: (tx, keys, now) =>
    tx.rows(
      waitingCall,
      `update responder_deliveries as item set attempts = attempts + 1
        where item.responder_id = any($2::uuid[]) and ${IS_DUE}
       returning responder_id as id, attempts, was_tried`,
      [now, keys],
    ),
};

/** `readAt` null: nothing can be read there. */
export async function markDelivered(
  tx: Queryable,
  responderId: string,
  { remote, url, readAt }: { remote: Remote; url: string | null; readAt: Date | null },
): Promise<void> {
  await tx.run(
    `update responder_deliveries
        set state = 'delivered', remote_key = $2, url = $3, error = null, next_attempt_at = $4::timestamptz, remote_status = $5
      where responder_id = $1 and state = 'waiting'`,
    [responderId, remote.key, url, readAt, remote.status],
  );
  await tx.run('update responders set external_id = $2 where id = $1 and $2::text is not null', [
    responderId,
    remote.externalId,
  ]);
}

/** `nextAttemptAt` null: given up until somebody asks for another try. */
export function markUndelivered(
  db: Queryable,
  responderId: string,
  { error, nextAttemptAt }: { error: string; nextAttemptAt: Date | null },
): Promise<number> {
  return db.run(
    `update responder_deliveries
        set state = case when $3::timestamptz is null then 'failed' else 'waiting' end,
            error = $2, next_attempt_at = $3::timestamptz
      where responder_id = $1 and state = 'waiting'`,
    [responderId, error, nextAttemptAt],
  );
}

/** For a responder that is called nowhere. */
export function dropDelivery(db: Queryable, responderId: string): Promise<number> {
  return db.run('delete from responder_deliveries where responder_id = $1', [responderId]);
}

/** Starts a failed call afresh, with what could not be told after it; answers how many rows that were. */
export async function retryDelivery(tx: Queryable, responderId: string, now: Date): Promise<number> {
  const calls = await tx.run(
    `update responder_deliveries set state = 'waiting', attempts = 0, was_tried = true, error = null,
            next_attempt_at = $2::timestamptz
      where responder_id = $1 and state = 'failed'`,
    [responderId, now],
  );
  const messages = await tx.run(
    `update responder_messages set attempts = 0, was_tried = true, error = null, next_attempt_at = $2::timestamptz
      where responder_id = $1 and next_attempt_at is null`,
    [responderId, now],
  );
  if (messages > 0)
    await tx.run(
      `update responder_deliveries set error = null where responder_id = $1 and state = 'delivered'`,
      [responderId],
    );
  return calls + messages;
}

const readingRow = z.strictObject({ responder_id: z.string() });

/** Tickets of incidents that are over are still read for a day: the last words come late. */
export async function takeReading(
  db: Queryable,
  at: { now: Date; next: Date },
): Promise<{ responder_id: string } | null> {
  const rows = await db.rows(
    readingRow,
    `update responder_deliveries set next_attempt_at = $2::timestamptz
      where responder_id = (
        select d.responder_id from responder_deliveries d
          join responders r on r.id = d.responder_id
          join incidents i on i.id = r.incident_id
         where d.state = 'delivered' and d.next_attempt_at <= $1::timestamptz and r.deleted_at is null
           and (i.closed is null or i.closed > $1::timestamptz - interval '1 day')
         order by d.next_attempt_at limit 1 for update of d skip locked)
     returning responder_id`,
    [at.now, at.next],
  );
  return rows[0] ?? null;
}

const remoteStatusRow = z.strictObject({ remote_status: z.string().nullable() });

/**
 * Notes how far the ticket is; answers whether that was news. Only a change there says anything: what somebody noted
 * here meanwhile stays. Opened again there, it is open again here.
 */
export async function noteState(
  tx: Queryable,
  responderId: string,
  { status, phase, now }: { status: string | null; phase: Phase | null; now: Date },
): Promise<boolean> {
  const [known] = await tx.rows(
    remoteStatusRow,
    'select remote_status from responder_deliveries where responder_id = $1 for update',
    [responderId],
  );
  if (known === undefined || known.remote_status === status) return false;
  await tx.run(
    'update responder_deliveries set remote_status = $2, read_until = $3::timestamptz where responder_id = $1',
    [responderId, status, now],
  );
  const isFirst = known.remote_status === null;
  const rank = phase === null ? null : ['created', 'acknowledged', 'resolved', 'closed'].indexOf(phase);
  if (rank === null || (isFirst && rank === 0)) return true;
  await tx.run(
    `update responders set
        acknowledged = case when $2 >= 1 then coalesce(acknowledged, $3::timestamptz) else acknowledged end,
        resolved = case when $2 >= 2 then coalesce(resolved, $3::timestamptz) end,
        closed = case when $2 >= 3 then coalesce(closed, $3::timestamptz) end
      where id = $1`,
    [responderId, rank, now],
  );
  return true;
}
