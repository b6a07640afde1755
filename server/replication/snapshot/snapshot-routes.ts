/**
 * `GET /snapshot/{topology|config|incident}/{id}`: a zip (schema §8.7), with the logs of its components for those who may
 * read logs.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { mayAct } from '../../../src/domain/access/objects.ts';
import { makeSnapshot, zipped } from './make-snapshot.ts';
import type { Snapshot } from './make-snapshot.ts';
import type { Queryable } from '../../platform/db/database.ts';
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

/** Logs of components as files by their names (server/logs). */
export type ReadLogFiles = (
  asked: { components: readonly string[]; start: Date; end: Date | null; format: 'log' | 'json' },
  reader: { db: Queryable; signal: AbortSignal },
) => Promise<Record<string, Uint8Array>>;

/** `/api/snapshot/:kind/:id`: a zip. */
export function registerSnapshotRoutes(
  app: FastifyInstance,
  context: RouteContext,
  readLogFiles: ReadLogFiles,
): void {
  const config = { rateLimit: { max: SNAPSHOTS_PER_MINUTE, timeWindow: '1 minute' } };

  app.get('/api/snapshot/:kind/:id', { config }, async (request, reply) => {
    const principal = await context.authenticate(request);
    const { kind, id } = parse(paramsSchema, request.params);
    authorize(principal, OBJECTS[kind], 'read');
    const { start, end, related, logFormat } = parse(querySchema, request.query);
    const asked = { start: start === undefined || start === '' ? DEFAULT_START : start, end };
    const { fromMs, untilMs } = timeWindow(asked, context.platform.now());
    const db = context.callerDatabase(request);
    const snapshot: Snapshot | null = await makeSnapshot(db, {
      kind,
      id,
      isRelatedToo: related === 'true',
      from: new Date(fromMs),
      until: new Date(untilMs),
    });
    if (snapshot === null) throw new AppError('not_found', `${kind} ${id} not found`);
    const { components, files } = snapshot;
    const logs = { components, start: new Date(fromMs), end: end ? new Date(untilMs) : null };
    const logFiles = mayAct(principal.roles, 'logs', 'read')
      ? await readLogFiles(
          { ...logs, format: logFormat === 'json' ? 'json' : 'log' },
          { db, signal: context.closed(request) },
        )
      : {};
    const zip = await zipped({ ...files, ...logFiles });
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="${kind}-${id}-snapshot.zip"`)
      .send(Buffer.from(zip));
  });
}
