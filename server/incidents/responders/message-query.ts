/** SQL of what outside systems are told after the call, and of the comments that they and we have of each other. */
import { z } from 'zod';
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';

/** To each outside system that helps with the incident. What came from one goes to none. */
export function enqueueComment(db: Queryable, commentId: string): Promise<number> {
  return db.run(
    `insert into responder_messages (responder_id, kind, comment_id)
     select r.id, 'comment', c.id
       from comments c
       join responders r on r.incident_id = c.incident_id and r.deleted_at is null and r.team_id is not null
       join responder_deliveries d on d.responder_id = r.id
      where c.id = $1 and c.external_id is null
        and not exists (select from comment_responders k where k.comment_id = c.id and k.responder_id = r.id)
     on conflict (responder_id, comment_id) do nothing`,
    [commentId],
  );
}

/** Once for each event, however often the queue brings it; a status that still waits to be told says it all. */
export function enqueueStatus(
  db: Queryable,
  { incidentId, status, event }: { incidentId: string; status: string; event: string },
): Promise<number> {
  return db.run(
    `with noted as (
       insert into responder_noted_events (responder_id, event)
       select r.id, $3
         from responders r join responder_deliveries d on d.responder_id = r.id
        where r.incident_id = $1 and r.deleted_at is null and r.team_id is not null
       on conflict do nothing returning responder_id)
     insert into responder_messages (responder_id, kind, status)
     select responder_id, 'status', $2 from noted
      where $2 is distinct from (
        select m.status from responder_messages m where m.responder_id = noted.responder_id and m.kind = 'status'
         order by m.id desc limit 1)`,
    [incidentId, status, event],
  );
}

/** Once for each responder. */
export function enqueueRemoval(db: Queryable, responderId: string): Promise<number> {
  return db.run(
    `with noted as (
       insert into responder_noted_events (responder_id, event)
       select r.id, 'removed' from responders r join responder_deliveries d on d.responder_id = r.id
        where r.id = $1 and r.team_id is not null and d.state = 'delivered'
       on conflict do nothing returning responder_id)
     insert into responder_messages (responder_id, kind) select responder_id, 'removed' from noted`,
    [responderId],
  );
}

const messageKind = z.enum(['comment', 'status', 'removed']);

const messageRow = z.strictObject({
  id: z.string(),
  responder_id: z.string(),
  kind: messageKind,
  comment_id: z.string().nullable(),
  status: z.string().nullable(),
  attempts: z.number(),
  /** Somebody asked for another try after all attempts had failed. */
  was_tried: z.boolean(),
  comment: z.string().nullable(),
  author: z.string().nullable(),
});
export type MessageRow = z.infer<typeof messageRow>;

/** In order for each responder: one that waits for another attempt holds up what comes after it, one that was given up doesn't. */
const IS_DUE = `item.next_attempt_at <= $1::timestamptz
  and exists (select from responder_deliveries d where d.responder_id = item.responder_id and d.state = 'delivered')
  and not exists (select from responder_messages earlier
    where earlier.responder_id = item.responder_id and earlier.id < item.id and earlier.next_attempt_at is not null)`;

export const MESSAGE_TABLE: QueueTable<MessageRow> = {
  name: 'responder_messages',
  key: 'id',
  where: IS_DUE,
  order: 'item.next_attempt_at, item.id',
  claim: (tx, keys, now) =>
    tx.rows(
      messageRow,
      `update responder_messages as item set attempts = attempts + 1
        where item.id = any($2::bigint[]) and ${IS_DUE}
       returning item.id::text, responder_id, kind, comment_id, status, attempts, was_tried,
         (select comment from comments where comments.id = item.comment_id) as comment,
         (select people.name from comments join people on people.id = comments.created_by
           where comments.id = item.comment_id) as author`,
      [now, keys],
    ),
};

/** False once it was sent. */
export async function isWaiting(db: Queryable, messageId: string): Promise<boolean> {
  const rows = await db.rows(idRow, 'select id::text from responder_messages where id = $1', [messageId]);
  return rows.length > 0;
}

/** It was sent, or is of no use any more. */
export function finishMessage(tx: Queryable, messageId: string): Promise<number> {
  return tx.run('delete from responder_messages where id = $1', [messageId]);
}

/** `nextAttemptAt` null: given up, which shows at the delivery. */
export async function failMessage(
  tx: Queryable,
  message: MessageRow,
  { error, nextAttemptAt }: { error: string; nextAttemptAt: Date | null },
): Promise<void> {
  await tx.run('update responder_messages set error = $2, next_attempt_at = $3::timestamptz where id = $1', [
    message.id,
    error,
    nextAttemptAt,
  ]);
  if (nextAttemptAt !== null) return;
  await tx.run('update responder_deliveries set error = $2 where responder_id = $1', [
    message.responder_id,
    error,
  ]);
}

/** The copy of a comment in an outside system; its id there may become known later. */
export async function noteCopy(
  tx: Queryable,
  copy: { commentId: string; responderId: string; externalId: string | null },
): Promise<void> {
  const { commentId, responderId, externalId } = copy;
  const known = await tx.run(
    `update comment_responders set external_id = coalesce($3, external_id)
      where comment_id = $1 and responder_id = $2`,
    [commentId, responderId, externalId],
  );
  if (known === 0)
    await tx.run(
      `insert into comment_responders (comment_id, responder_id, external_id)
       select id, $2, $3 from comments where id = $1`,
      [commentId, responderId, externalId],
    );
  if (externalId !== null) await noteRemoteComment(tx, responderId, externalId);
}

/** False when it was known. */
export async function noteRemoteComment(
  tx: Queryable,
  responderId: string,
  externalId: string,
): Promise<boolean> {
  const added = await tx.run(
    `insert into responder_remote_comments (responder_id, external_id) values ($1, $2) on conflict do nothing`,
    [responderId, externalId],
  );
  return added > 0;
}

const remoteCommentRow = z.strictObject({ external_id: z.string() });

/** Ids of comments in the outside system that are known here, ours and theirs. */
export async function knownRemoteComments(db: Queryable, responderId: string): Promise<Set<string>> {
  const rows = await db.rows(
    remoteCommentRow,
    'select external_id from responder_remote_comments where responder_id = $1',
    [responderId],
  );
  return new Set(rows.map((row) => row.external_id));
}

const unknownCopy = z.strictObject({
  kind: messageKind,
  /** Null but for comments. */
  comment_id: z.string().nullable(),
  comment: z.string().nullable(),
  author: z.string().nullable(),
  status: z.string().nullable(),
  number: z.string(),
  /** Of the message whose answer was lost; null when it was sent to a system that tells no id. */
  message_id: z.string().nullable(),
  created_at: z.string(),
});
export type UnknownCopy = z.infer<typeof unknownCopy>;

/** What we said there, or may have said, without an id that we know; the oldest first. */
export function copiesWithoutId(db: Queryable, responderId: string): Promise<UnknownCopy[]> {
  return db.rows(
    unknownCopy,
    `select 'comment' as kind, c.id as comment_id, c.comment, p.name as author, null::text as status, '' as number,
            m.id::text as message_id, c.created_at
       from comments c
       left join people p on p.id = c.created_by
       left join responder_messages m on m.comment_id = c.id and m.responder_id = $1
         and (m.attempts > 0 or m.was_tried)
       left join comment_responders k on k.comment_id = c.id and k.responder_id = $1
      where c.incident_id = (select incident_id from responders where id = $1)
        and (m.id is not null or (k.id is not null and k.external_id is null))
     union all
     select m.kind, null, null, null, m.status, i.incident_id, m.id::text, m.created_at
       from responder_messages m
       join responders r on r.id = m.responder_id join incidents i on i.id = r.incident_id
      where m.responder_id = $1 and m.kind <> 'comment' and (m.attempts > 0 or m.was_tried)
     order by created_at, message_id`,
    [responderId],
  );
}

/** A comment from outside, at the incident's first root hypothesis; by the System, in the name of its author there. */
export function insertRemoteComment(
  tx: Queryable,
  responderId: string,
  { id, author, text }: { id: string; author: string; text: string },
): Promise<number> {
  return tx.run(
    `insert into comments (comment, external_id, external_created_by, incident_id, responder_id, hypothesis_id, created_by)
     select $2, $3, $4, r.incident_id, r.id,
       (select h.id from hypotheses h where h.incident_id = r.incident_id and h.type = 'root' order by h.created_at, h.id limit 1),
       (select p.id from people p where p.name = 'System' and p.email is null order by p.created_at, p.id limit 1)
     from responders r where r.id = $1`,
    [responderId, text, id, author],
  );
}
