/** SQL of what was not told of because something above it was down. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { BELOW } from './messages.ts';

const heldRow = z.strictObject({
  notification_id: z.string(),
  resource_id: z.string(),
  source_event: z.string(),
});
export type HeldRow = z.infer<typeof heldRow>;

const MOST = 2000;
const IS_HELD = `held.status = 'silenced' and held.reason like '%${BELOW}'`;

/** What rules hold since then and told of by no other way; each thing once for each rule. */
export function heldBelow(db: Queryable, since: Date): Promise<HeldRow[]> {
  return db.rows(
    heldRow,
    `select distinct on (held.notification_id, held.resource_id) held.notification_id, held.resource_id, held.source_event
       from notification_send_history as held
       join notifications as rule on rule.id = held.notification_id and rule.deleted_at is null
      where ${IS_HELD} and held.created_at > $1::timestamptz
        and not exists (select from notification_send_history as later
          where later.notification_id = held.notification_id and later.resource_id = held.resource_id
            and later.source_event = held.source_event and later.status in ('pending', 'sending', 'sent')
            and later.created_at > held.created_at)
      order by held.notification_id, held.resource_id, held.created_at desc limit ${MOST}`,
    [since],
  );
}

/** It is held no longer, for this reason; answers false where another server has said so. */
export async function endHolding(
  tx: Queryable,
  { notification_id: rule, resource_id: resource }: HeldRow,
  reason: string,
): Promise<boolean> {
  const ended = await tx.run(
    `update notification_send_history as held set reason = held.reason || $3
      where held.notification_id = $1 and held.resource_id = $2 and ${IS_HELD}`,
    [rule, resource, reason],
  );
  return ended > 0;
}

/** The rule that held it, and no other, is asked again. */
export function askRule(
  tx: Queryable,
  { notification_id: rule, resource_id: id, source_event: event }: HeldRow,
): Promise<number> {
  return tx.run(`select note_for_rules($1, jsonb_build_object('id', $2::text, 'rule', $3::text))`, [
    event,
    id,
    rule,
  ]);
}
