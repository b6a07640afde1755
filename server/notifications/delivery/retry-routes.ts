/** `POST /notifications/history/{id}/retry`: a message that failed is sent again, with a fresh count of attempts. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { retryDelivery } from './delivery-query.ts';

const paramsSchema = z.object({ id: z.guid() });

/** `/api/notifications/history/:id/retry`. */
export function registerRetryRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database; notify: (table: string) => void }>,
): void {
  app.post('/api/notifications/history/:id/retry', async (request) => {
    authorize(await context.authenticate(request), 'notification', 'update');
    const params = paramsSchema.safeParse(request.params);
    if (!params.success) throw new AppError('not_found', 'notification not found');
    const { db, notify } = context.backend();
    const now = new Date(context.platform.now());
    const sent = await db.transaction((tx) => retryDelivery(tx, params.data.id, now));
    if (sent === null)
      throw new AppError('conflict', 'Only a notification that failed, and is still kept, can be sent again');
    for (const table of ['notification_deliveries', 'notification_send_history']) notify(table);
    return { message: 'ok' };
  });
}
