/** SQL of what people know of and are not told of again. */
import { z } from 'zod';
import type { AcknowledgedKind } from '../../../src/domain/notification/acknowledgement.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

const FINE = `('healthy')`;
/** Clocks of devices are not exactly ours. */
const SKEW = `interval '30 seconds'`;
/** When the command was written (act-as-query). */
const WRITTEN = `nullif(current_setting('holdfast.written_at', true), '')::timestamptz`;
/** Whether there is something to know: `bad`, `again` where a check became so since, or `well` (also what is over). */
const STATES: Readonly<Record<AcknowledgedKind, string>> = {
  check: `select case when status in ${FINE} then 'well' when last_transition_time > ${WRITTEN} + ${SKEW} then 'again'
    else 'bad' end as state from checks where id = $1 and deleted_at is null`,
  config: `select case when health in ${FINE} then 'well' else 'bad' end as state from config_items
    where id = $1 and deleted_at is null`,
  component: `select case when coalesce(nullif(health, ''), status) in ${FINE} then 'well' else 'bad' end as state
    from components where id = $1 and deleted_at is null`,
  incident: `select case when status in ('resolved', 'closed', 'cancelled') then 'well' else 'bad' end as state
    from incidents where id = $1`,
};
const stateRow = z.strictObject({ state: z.enum(['well', 'again', 'bad']) });
type State = z.infer<typeof stateRow>['state'];

/** How it is, kept so until the transaction ends; null when it is gone. */
export async function stateOf(tx: Queryable, kind: AcknowledgedKind, id: string): Promise<State | null> {
  const [row] = await tx.rows(stateRow, `${STATES[kind]} for key share`, [id]);
  return row?.state ?? null;
}

export interface NewAcknowledgement {
  id: string;
  kind: AcknowledgedKind;
  resourceId: string;
  personId: string;
  until: string | null;
}

/** Takes the place of the one before. */
export async function insertAcknowledgement(
  tx: Queryable,
  { id, kind, resourceId, personId, until }: NewAcknowledgement,
): Promise<void> {
  await tx.run(
    `update acknowledgements set ended_at = now(), end_reason = 'replaced' where resource_id = $1 and ended_at is null`,
    [resourceId],
  );
  await tx.run(
    `insert into acknowledgements (id, kind, resource_id, person_id, until) values ($1, $2, $3, $4, $5::timestamptz)
     on conflict do nothing`,
    [id, kind, resourceId, personId, until],
  );
}

/** Tells again from now on; answers 0 when it is over already. */
export function takeBack(
  tx: Queryable,
  { id, resourceId }: { id: string; resourceId: string },
): Promise<number> {
  return tx.run(
    `update acknowledgements set ended_at = now(), end_reason = 'taken back'
      where id = $1 and resource_id = $2 and ended_at is null`,
    [id, resourceId],
  );
}

/** A device of the person acted on a message. */
export function noteActed(
  tx: Queryable,
  { messageId, personId, action }: { messageId: string; personId: string; action: 'acknowledge' | 'snooze' },
): Promise<number> {
  return tx.run(
    `update push_receipts set acted_at = coalesce(acted_at, now()), shown_at = coalesce(shown_at, now()),
       received_at = coalesce(received_at, now()), action = coalesce(nullif(action, 'dismiss'), $3)
      where id = $1 and person_id = $2`,
    [messageId, personId, action],
  );
}

const endedRow = z.strictObject({
  id: z.string(),
  kind: z.enum(['check', 'config', 'component', 'incident']),
  resource_id: z.string(),
  person_id: z.string(),
  until: z.string(),
  person: z.string(),
  email: z.string().nullable(),
  /** A rule of their own waits for every such event: it tells them. */
  has_rule: z.boolean(),
  name: z.string(),
  /** The event by which it would be told of again; null where there is nothing to tell. */
  event: z.string().nullable(),
});
export type EndedSnooze = z.infer<typeof endedRow>;

const NAME = `coalesce((select name from checks where id = ended.resource_id),
  (select name from config_items where id = ended.resource_id),
  (select name from components where id = ended.resource_id),
  (select concat_ws(' ', incident_id, title) from incidents where id = ended.resource_id), '')`;
const HEALTH = `coalesce(nullif(health, ''), status)`;
const EVENT = `case ended.kind
  when 'check' then (select 'check.failed' from checks
    where id = ended.resource_id and deleted_at is null and status = 'unhealthy')
  when 'config' then (select 'config.' || health from config_items
    where id = ended.resource_id and deleted_at is null and health in ('unhealthy', 'warning'))
  when 'component' then (select 'component.' || ${HEALTH} from components
    where id = ended.resource_id and deleted_at is null and ${HEALTH} in ('unhealthy', 'warning'))
  else (select 'incident.status.' || status from incidents
    where id = ended.resource_id and status not in ('resolved', 'closed', 'cancelled')) end`;

/** Ends what is over by the clock; each is answered once among all servers. */
export async function endSnoozes(tx: Queryable, now: Date): Promise<EndedSnooze[]> {
  const due = await tx.rows(
    idRow,
    `select id from acknowledgements where ended_at is null and until <= $1::timestamptz
      order by until limit 500 for update skip locked`,
    [now],
  );
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id);
  await tx.run(
    `update acknowledgements set ended_at = $2::timestamptz, end_reason = 'time' where id = any($1::uuid[])`,
    [ids, now],
  );
  return tx.rows(
    endedRow,
    `with told as (
       select ended.id, ended.kind, ended.resource_id, ended.person_id, ended.until, people.name as person, people.email,
         ${NAME} as name, ${EVENT} as event
         from acknowledgements as ended join people on people.id = ended.person_id where ended.id = any($1::uuid[])
     )
     select told.*, exists (select from notifications as rule where rule.person_id = told.person_id
       and rule.deleted_at is null and rule.error is null and not rule.is_paused
       and coalesce(trim(rule.filter), '') = '' and told.event = any(rule.events)) as has_rule from told`,
    [ids],
  );
}

/** Rules are asked again about what a snooze was about. */
export function askAgain(
  tx: Queryable,
  { event, resource_id: id, id: after, person }: EndedSnooze,
): Promise<number> {
  return tx.run(
    `select note_for_rules($1, jsonb_build_object('id', $2::text, 'after', $3::text, 'by', $4::text))`,
    [event, id, after, person],
  );
}
