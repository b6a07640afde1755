/**
 * `GET /snapshot/{topology|config|incident}/{id}`: a zip (schema §8.7). It has no log files yet: they
 * are read by POST /logs alone, and an empty file would claim that nothing was logged. `logFormat` is checked, so that a
 * caller's mistake doesn't wait for them.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { makeSnapshot } from './make-snapshot.ts';
import { timeWindow } from '../../platform/http/time-window.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';

const DEFAULT_START = '15m';
/** A snapshot reads whole subtrees. */
const SNAPSHOTS_PER_MINUTE = 30;
const OBJECTS = { topology: 'topology', config: 'catalog', incident: 'incident' } as const;

const paramsSchema = z.object({
  kind: z.enum(['topology', 'config', 'incident']),
  id: z.guid({ error: 'must be an id' }),
});
const querySchema = z.object({
  start: z.string().max(64).optional(),
  end: z.string().max(64).optional(),
  related: z.enum(['true', 'false', '']).optional(),
  logFormat: z.enum(['log', 'json', ''], { error: 'must be log or json' }).optional(),
});

/** `/api/snapshot/:kind/:id`: a zip. */
export function registerSnapshotRoutes(app: FastifyInstance, context: RouteContext): void {
  const config = { rateLimit: { max: SNAPSHOTS_PER_MINUTE, timeWindow: '1 minute' } };

  app.get('/api/snapshot/:kind/:id', { config }, async (request, reply) => {
    const principal = await context.authenticate(request);
    const { kind, id } = parse(paramsSchema, request.params);
    authorize(principal, OBJECTS[kind], 'read');
    const { start, end, related } = parse(querySchema, request.query);
    const asked = { start: start === undefined || start === '' ? DEFAULT_START : start, end };
    const { fromMs, untilMs } = timeWindow(asked, context.platform.now());
    const zip = await makeSnapshot(context.callerDatabase(request), {
      kind,
      id,
      isRelatedToo: related === 'true',
      from: new Date(fromMs),
      until: new Date(untilMs),
    });
    if (zip === null) throw new AppError('not_found', `${kind} ${id} not found`);
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="${kind}-${id}-snapshot.zip"`)
      .send(Buffer.from(zip));
  });
}
