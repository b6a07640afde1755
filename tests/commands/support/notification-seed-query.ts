/** For tests only: a notification that failed for good. */
import { z } from 'zod';
import type { Database } from '../../../server/platform/db/database.ts';

const idRow = z.strictObject({ id: z.string() });

/** Answers the id of its row in the history. */
export async function addFailedNotification(db: Database): Promise<string> {
  const [rule] = await db.rows(
    idRow,
    `insert into notifications (events, custom_services) values ('{check.failed}', '[{"url": "https://example.org"}]')
       returning id`,
  );
  const [message] = await db.rows(
    idRow,
    `insert into notification_deliveries (notification_id, recipient, kind, state, attempts)
       values ($1, 'rule/x/0', 'single', 'failed', 8) returning id`,
    [rule?.id ?? null],
  );
  const [row] = await db.rows(
    idRow,
    `insert into notification_send_history (notification_id, source_event, resource_id, status, error, delivery_id)
       values ($1, 'check.failed', generate_ulid(), 'error', 'nobody is there', $2) returning id`,
    [rule?.id ?? null, message?.id ?? null],
  );
  return row?.id ?? '';
}
