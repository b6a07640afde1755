/** SQL of the history of what was sent, and what was not (schema §7.1). */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Rows that say that somebody was told, or is about to be. */
const TOLD = `('pending', 'sending', 'sent')`;

const toldRow = z.strictObject({
  notification_id: z.string(),
  resource_id: z.string(),
  source_event: z.string(),
  at_ms: z.coerce.number(),
});

export interface ResourceQuestion {
  rules: readonly string[];
  resources: readonly string[];
}

/** When each was told of last, by rule, resource and event. */
export async function lastTold(
  db: Queryable,
  { rules, resources }: ResourceQuestion,
): Promise<Map<string, number>> {
  const rows = await db.rows(
    toldRow,
    `select notification_id, resource_id, source_event, extract(epoch from max(created_at)) * 1000 as at_ms
       from notification_send_history
      where notification_id = any($1::uuid[]) and resource_id = any($2::uuid[]) and status in ${TOLD}
      group by 1, 2, 3`,
    [rules, resources],
  );
  return new Map(
    rows.map((row) => [toldKey(row.notification_id, row.resource_id, row.source_event), row.at_ms]),
  );
}

/** By which what was told is known. */
export const toldKey = (rule: string, resource: string, event: string): string =>
  `${rule} ${resource} ${event}`;

const changesRow = z.strictObject({
  notification_id: z.string(),
  resource_id: z.string(),
  count: z.coerce.number(),
});

/** How often each changed since, as far as the rule was asked; a change that several were told of is one. */
export async function changesSince(
  db: Queryable,
  { rules, resources }: ResourceQuestion,
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db.rows(
    changesRow,
    `select notification_id, resource_id, sum(times) as count from (
       select notification_id, resource_id, max(count) as times from notification_send_history
        where notification_id = any($1::uuid[]) and resource_id = any($2::uuid[]) and created_at > $3::timestamptz
        group by 1, 2, source_event, first_observed
     ) as changes group by 1, 2`,
    [rules, resources, since],
  );
  return new Map(rows.map((row) => [`${row.notification_id} ${row.resource_id}`, row.count]));
}

const downRow = z.strictObject({
  notification_id: z.string(),
  resource_id: z.string(),
  name: z.string(),
});

/** Those of the resources that are unhealthy now and that the rule told of as such: by rule and resource, their names. */
export async function toldDown(
  db: Queryable,
  { rules, resources }: ResourceQuestion,
  since: Date,
): Promise<Map<string, string>> {
  const rows = await db.rows(
    downRow,
    `select distinct history.notification_id, history.resource_id,
       coalesce(configs.name, components.name, '') as name
     from notification_send_history as history
       left join config_items as configs on configs.id = history.resource_id
         and configs.health = 'unhealthy' and configs.deleted_at is null
       left join components on components.id = history.resource_id
         and coalesce(nullif(components.health, ''), components.status) = 'unhealthy' and components.deleted_at is null
     where history.notification_id = any($1::uuid[]) and history.resource_id = any($2::uuid[])
       and history.status in ${TOLD} and history.source_event in ('config.unhealthy', 'component.unhealthy')
       and history.created_at > $3::timestamptz and (configs.id is not null or components.id is not null)`,
    [rules, resources, since],
  );
  return new Map(rows.map((row) => [`${row.notification_id} ${row.resource_id}`, row.name]));
}

export interface NewHistory {
  notificationId: string;
  resourceId: string;
  event: string;
  status: 'pending' | 'silenced' | 'repeat-interval' | 'cancelled';
  title: string;
  reason: string | null;
  recipient: string | null;
  personId: string | null;
  deliveryId: string | null;
  /** When what it tells of happened. */
  observedAt: string;
}

const column = <Key extends keyof NewHistory>(rows: readonly NewHistory[], key: Key) =>
  rows.map((row) => row[key]);

/** Many at once. */
export function insertHistory(db: Queryable, rows: readonly NewHistory[], now: Date): Promise<number> {
  return db.run(
    `insert into notification_send_history (notification_id, resource_id, source_event, status, title, reason, recipient,
       person_id, delivery_id, first_observed, created_at)
     select rule, resource, event, status, title, reason, recipient, person, delivery, observed, $11::timestamptz
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[],
         $9::uuid[], $10::timestamptz[])
         as given (rule, resource, event, status, title, reason, recipient, person, delivery, observed)`,
    [
      column(rows, 'notificationId'),
      column(rows, 'resourceId'),
      column(rows, 'event'),
      column(rows, 'status'),
      column(rows, 'title'),
      column(rows, 'reason'),
      column(rows, 'recipient'),
      column(rows, 'personId'),
      column(rows, 'deliveryId'),
      column(rows, 'observedAt'),
      now,
    ],
  );
}

const countedRow = z.strictObject({ number: z.coerce.number(), id: z.string() });

/** What was not sent again within a minute for the same reason only counts up; answers which keys did. */
export async function countUp(
  db: Queryable,
  rows: readonly NewHistory[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const found = await db.rows(
    countedRow,
    `with given as (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) with ordinality as g (rule, resource, event, status, number)
     )
     select distinct on (g.number) g.number, history.id from given as g
       join notification_send_history as history on history.notification_id = g.rule
         and history.resource_id = g.resource and history.source_event = g.event and history.status = g.status
         and history.created_at > $5::timestamptz - interval '1 minute'
      order by g.number, history.created_at desc`,
    [
      column(rows, 'notificationId'),
      column(rows, 'resourceId'),
      column(rows, 'event'),
      column(rows, 'status'),
      now,
    ],
  );
  await db.run(
    `update notification_send_history as history set count = history.count + more.times
       from (select id, count(*)::int as times from unnest($1::uuid[]) as given (id) group by id) as more
      where history.id = more.id`,
    [found.map(({ id }) => id)],
  );
  return new Set(found.map(({ number }) => number - 1));
}

export interface AttemptNote {
  at: string;
  millis: number;
  /** `sent`, or why not. */
  outcome: string;
}

/**
 * How an attempt ended, on every row that it was about. What one way to a person has sent stays so, whatever becomes of
 * the next.
 */
export function noteAttempt(
  db: Queryable,
  deliveryId: string,
  end: {
    status: 'sent' | 'error' | 'pending';
    error: string | null;
    body: string | null;
    attempt: AttemptNote;
  },
): Promise<number> {
  const { status, error, body, attempt } = end;
  return db.run(
    `update notification_send_history set status = case when status = 'sent' then status else $2 end,
       error = case when status = 'sent' then error else $3 end, body = coalesce($4, body), duration_millis = $5,
       attempts = attempts || $6::jsonb
      where delivery_id = $1 and status in ('pending', 'sending', 'sent')`,
    [deliveryId, status, error, body, attempt.millis, toJson([attempt])],
  );
}

export interface EndedMember {
  id: string;
  /** Of one that was sent by another way it stays `sent`. */
  status: 'cancelled' | 'silenced';
  reason: string;
}

/** Those that nobody is to be told of any more. */
export function endMembers(db: Queryable, ended: readonly EndedMember[]): Promise<number> {
  return db.run(
    `update notification_send_history as history set status = given.status, reason = given.reason
       from unnest($1::uuid[], $2::text[], $3::text[]) as given (id, status, reason)
      where history.id = given.id and history.status in ('pending', 'sending')`,
    [ended.map(({ id }) => id), ended.map(({ status }) => status), ended.map(({ reason }) => reason)],
  );
}

/** Kept 30 days (schema §7.1). */
export async function purgeHistory(db: Queryable, before: Date): Promise<void> {
  await db.run('delete from notification_send_history where created_at < $1::timestamptz', [before]);
  await db.run(
    `delete from notification_deliveries where state <> 'queued' and created_at < $1::timestamptz`,
    [before],
  );
}
