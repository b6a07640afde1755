/** For tests only: a notification that failed, and a silence, which the data set has none of. */
import type { Database } from '../../../server/platform/db/database.ts';
import { CHECK, NOTIFICATION, SENT, SILENCE } from './ids.ts';

export async function seedNotifications(db: Database): Promise<void> {
  await db.run(
    `insert into notification_send_history (id, notification_id, source_event, resource_id, status, error, body)
       values ($1, $2, 'check.failed', $3, 'error', 'nobody is there', 'It failed')`,
    [SENT, NOTIFICATION, CHECK],
  );
  await db.run(
    `insert into notification_silences (id, namespace, check_id, "from", "until", source)
       values ($1, '', $2, now(), now() + interval '1 day', 'UI')`,
    [SILENCE, CHECK],
  );
}
