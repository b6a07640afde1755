/** SQL of the events that wait for the rules. */
import { z } from 'zod';
import { jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

const eventRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  about: jsonObject,
  created_at: z.string(),
});
export type EventRow = z.infer<typeof eventRow>;

/** The oldest. */
export function nextEvents(db: Queryable, limit: number): Promise<EventRow[]> {
  return db.rows(
    eventRow,
    'select id, name, about, created_at from notification_events order by created_at, id limit $1',
    [limit],
  );
}

/** Done with these; one that came again meanwhile stays. */
export function finishEvents(db: Queryable, events: readonly EventRow[]): Promise<number> {
  return db.run(
    `delete from notification_events as event using unnest($1::uuid[], $2::timestamptz[]) as done (id, at)
      where event.id = done.id and event.created_at = done.at`,
    [events.map(({ id }) => id), events.map(({ created_at: at }) => at)],
  );
}

/** Whether more is on its way than what was taken. */
export async function hasEvents(db: Queryable): Promise<boolean> {
  return (await db.text('select exists (select from notification_events)::text')) === 'true';
}
