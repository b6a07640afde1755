/** SQL of the mail that waits: written with what causes it, so that neither happens without the other. */
import { z } from 'zod';
import type { Queryable } from '../db/database.ts';
import type { QueueTable } from '../jobs/lease-queue-query.ts';

export interface NewMail {
  id: string;
  /** null = to nobody: kept as sent and without text. */
  recipient: string | null;
  sealedMail: string;
  nowAt: Date;
}

/** Call in the transaction of its cause. */
export function insertMail(tx: Queryable, mail: NewMail): Promise<number> {
  return tx.run(
    `insert into identity_mails (id, recipient, sealed_mail, state, next_attempt_at, created_at)
     values ($1, coalesce($2, ''), case when $2::text is not null then $3 end,
             case when $2::text is null then 'sent' else 'queued' end, $4::timestamptz, $4::timestamptz)`,
    [mail.id, mail.recipient, mail.sealedMail, mail.nowAt],
  );
}

const mailRow = z.strictObject({
  id: z.string(),
  recipient: z.string(),
  sealed_mail: z.string(),
  attempts: z.number(),
  created_at: z.string(),
});
export type MailRow = z.infer<typeof mailRow>;

const IS_DUE = `item.state = 'queued' and item.next_attempt_at <= $1::timestamptz`;

export const MAIL_TABLE: QueueTable<MailRow> = {
  name: 'identity_mails',
  key: 'id',
  where: IS_DUE,
  order: 'item.next_attempt_at',
  claim: (tx, keys, now) =>
    tx.rows(
      mailRow,
      `update identity_mails as item set attempts = attempts + 1 where item.id = any($2::uuid[]) and ${IS_DUE}
       returning id, recipient, sealed_mail, attempts, created_at`,
      [now, keys],
    ),
};

/** What was sent needs no text any more. */
export function markSent(db: Queryable, id: string, nowAt: Date): Promise<number> {
  return db.run(
    `update identity_mails
        set state = 'sent', sealed_mail = null, last_error = null, sent_at = $2::timestamptz
      where id = $1`,
    [id, nowAt],
  );
}

/** It is tried again at `nextAttemptAt`. */
export function markFailed(
  db: Queryable,
  id: string,
  failure: { error: string; nextAttemptAt: Date },
): Promise<number> {
  return db.run(
    'update identity_mails set last_error = $2, next_attempt_at = $3::timestamptz where id = $1',
    [id, failure.error, failure.nextAttemptAt],
  );
}

/** It is not tried again, and its text is gone. */
export function markAbandoned(db: Queryable, id: string, error: string): Promise<number> {
  return db.run(
    `update identity_mails set state = 'abandoned', sealed_mail = null, last_error = $2 where id = $1`,
    [id, error],
  );
}

/** Those that wait stay, however old. */
export function deleteOldMails(db: Queryable, before: Date): Promise<number> {
  return db.run(`delete from identity_mails where state <> 'queued' and created_at < $1::timestamptz`, [
    before,
  ]);
}
