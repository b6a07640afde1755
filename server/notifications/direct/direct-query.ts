/** SQL of what people are told of beside rules: mentions, calls for help and for approval. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { QueueTable } from '../../platform/jobs/lease-queue-query.ts';

const dueMessage = z.strictObject({
  id: z.string(),
  person_id: z.string(),
  kind: z.enum(['mention', 'responder', 'approval']),
  /** Which of the person's ways it is at (`PUSH_STEPS`). */
  step: z.number(),
  attempts: z.number(),
  created_at: z.string(),
  has_browser: z.boolean(),
  email: z.string().nullable(),
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
  severity: z.string().nullable(),
  closed: z.string().nullable(),
  comment_id: z.string().nullable(),
  comment: z.string().nullable(),
  /** The responder was taken off again. */
  is_removed: z.boolean(),
  team: z.string().nullable(),
  who: z.string().nullable(),
  /** Read on a device meanwhile. */
  is_read: z.boolean(),
});
export type DueMessage = z.infer<typeof dueMessage>;

const IS_DUE = 'item.ended_at is null and item.next_attempt_at <= $1::timestamptz';

export const DIRECT_TABLE: QueueTable<DueMessage> = {
  name: 'push_messages',
  key: 'id',
  where: IS_DUE,
  order: 'item.created_at',
  claim: (tx, keys, now) =>
    tx.rows(
      dueMessage,
      `update push_messages as item set attempts = item.attempts + 1
         from people, push_messages as self
         left join incidents on incidents.id = self.incident_id
        where item.id = any($2::uuid[]) and ${IS_DUE}
          and people.id = item.person_id and self.id = item.id
        returning item.id, item.person_id, item.kind, item.step, item.attempts, item.created_at, item.comment_id,
              people.email, incidents.id as incident_id, incidents.incident_id as number, incidents.title,
              incidents.severity::text as severity, incidents.closed,
              exists (select from push_subscriptions where push_subscriptions.person_id = item.person_id) as has_browser,
              (select comment from comments where comments.id = item.comment_id) as comment,
              exists (select 1 from responders where responders.id = item.responder_id
                and responders.deleted_at is not null) as is_removed,
              (select teams.name from responders join teams on teams.id = responders.team_id
                where responders.id = item.responder_id) as team,
              (select name from people as author where author.id = item.created_by) as who,
              (select jsonb_build_object('id', run.id,
                  'playbook', coalesce(nullif(playbook.title, ''), playbook.name),
                  'resource', coalesce((select name from config_items where id = run.config_id),
                    (select name from components where id = run.component_id),
                    (select name from checks where id = run.check_id)),
                  'is_asked', run.status = 'pending_approval'
                    and item.person_id in (select run_approvers(run.spec))
                    and not exists (select from playbook_approvals as given
                      where given.run_id = run.id and given.person_id = item.person_id))
                from playbook_runs as run join playbooks as playbook on playbook.id = run.playbook_id
                where run.id = item.run_id) as run,
              exists (select 1 from incident_reads where incident_reads.incident_id = item.incident_id
                and incident_reads.person_id = item.person_id
                and incident_reads.read_at >= item.created_at) as is_read`,
      [now, keys],
    ),
};

/** It was told, or is not to be; receipts of it are still taken. */
export function endMessage(db: Queryable, id: string, now: Date): Promise<number> {
  return db.run('update push_messages set ended_at = $2::timestamptz where id = $1', [id, now]);
}

/** The same way once more, at `at`. */
export function retryMessage(db: Queryable, id: string, at: Date): Promise<number> {
  return db.run('update push_messages set next_attempt_at = $2::timestamptz where id = $1', [id, at]);
}

/** Goes on to a way, at `at`; attempts are counted anew. */
export function moveMessage(
  db: Queryable,
  id: string,
  { step, at }: { step: number; at: Date },
): Promise<number> {
  return db.run(
    'update push_messages set step = $2, attempts = 0, next_attempt_at = $3::timestamptz where id = $1',
    [id, step, at],
  );
}

/** What ended before that; nobody says anything of it any more. */
export function purgeMessages(db: Queryable, before: Date): Promise<number> {
  return db.run('delete from push_messages where ended_at < $1::timestamptz', [before]);
}
