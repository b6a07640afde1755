/** `POST /events/retry`: events that failed are tried again, with all their attempts (schema §7.3). */
import type { FastifyInstance } from 'fastify';
import { retryEventsSchema } from '../../../src/contract/http/admin-actions.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { parse } from '../../platform/http/parse.ts';
import { retryEvents } from '../../platform/jobs/event-query.ts';
import { RETRIED_EVENTS } from '../../platform/jobs/event-queue.ts';

/** For those who may write the settings of the server. */
export function registerEventRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database; notify: (table: string) => void }>,
): void {
  app.post('/api/events/retry', async (request) => {
    authorize(await context.authenticate(request), 'database.system', 'update');
    const { ids } = parse(retryEventsSchema, request.body ?? {});
    const { db, notify } = context.backend();
    const names = await db.transaction((tx) => retryEvents(tx, ids));
    if (names.length === 0)
      throw new AppError('not_found', 'None of these events has failed, or they are gone');
    for (const table of ['event_queue', RETRIED_EVENTS]) notify(table);
    return { retried: names.length };
  });
}
