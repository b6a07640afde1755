/** `POST /notification/silence`: nothing is sent about a resource for a while (contract §9, schema §7.2). */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import { silenceSchema } from '../../../src/contract/http/notifications/silence.ts';
import { evaluateDateMath } from '../../../src/domain/time/date-math.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { saveSilence, SilenceRefused } from './save-silence.ts';

/** A date, or a time of a day, that doesn't say in which zone. */
const WITHOUT_ZONE = /^\s*\d{4}-\d{2}-\d{2}(?:[T ][\d:.]*)?\s*(?:\|\|.*)?$/;

function readMoment(field: 'from' | 'until', text: string, nowMs: number): Date {
  const timeMs = WITHOUT_ZONE.test(text) ? null : evaluateDateMath(text, nowMs);
  if (timeMs !== null) return new Date(timeMs);
  const hint = 'write a time with its zone such as 2026-01-31T12:00:00Z, or now, now+2h, now/d';
  throw new AppError('invalid', `${field}: ${JSON.stringify(text)} is not a time: ${hint}`);
}

/** `/api/notification/silence`. */
export function registerSilenceRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database; notify: (table: string) => void }>,
): void {
  app.post('/api/notification/silence', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'notification', 'create');
    const asked = parse(silenceSchema, request.body ?? {});
    const { db, notify } = context.backend();
    const nowMs = context.platform.now();
    const fromAt = readMoment('from', asked.from, nowMs);
    const untilAt = readMoment('until', asked.until, nowMs);
    const id = context.platform.newId();
    try {
      await saveSilence(db, { id, parts: asked, fromAt, untilAt, createdBy: principal.personId });
    } catch (error) {
      if (!(error instanceof SilenceRefused)) throw error;
      throw new AppError('invalid', error.message, { field: error.field });
    }
    notify('notification_silences');
    return reply.code(200).send();
  });
}
