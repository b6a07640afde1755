/** The health summary (schema §4.7) and the older form of it that the evidence view calls (contract §4). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuseUnless } from '../../policies/refuse-unless.ts';
import { may } from '../../../src/domain/access/matrix.ts';
import { parse } from '../route-context.ts';
import type { RouteContext } from '../route-context.ts';
import { readSummary, readSummaryOver } from './summary-query.ts';
import type { SummaryFilter } from './summary-query.ts';
import { timeWindow } from './time-window.ts';

const HOUR_MS = 3_600_000;
/** Up to this long the runs themselves are read; beyond, the hourly sums keep the answer fast. */
const RAW_WINDOW_MS = 24 * HOUR_MS;
/** The hourly job sums up the last three hours; the newest two may still change. */
const UNSETTLED_HOURS = 2;

const rangeSchema = z.object({ start: z.string().max(64).optional(), end: z.string().max(64).optional() });
const checkQuerySchema = rangeSchema.extend({ check: z.uuid(), includeMessages: z.string().optional() });
const labelsSchema = z.record(z.string().max(256), z.string().max(1024));
const bodySchema = z
  .object({
    Timeout: z.unknown(),
    SortBy: z.unknown(),
    DeleteFrom: z.iso.datetime({ offset: true }).nullish(),
    Labels: labelsSchema.nullish(),
  })
  .partial()
  .nullish();

const EVERYTHING: SummaryFilter = { deletedSince: null, labels: null, checkId: null };

async function summaryText(
  context: RouteContext,
  filter: SummaryFilter,
  range: { start?: string | undefined; end?: string | undefined },
): Promise<string> {
  const { db } = context.backend();
  if (range.start === undefined && range.end === undefined) return readSummary(db, filter);
  const nowMs = context.platform.now();
  const { fromMs, untilMs } = timeWindow(range, nowMs);
  const settledMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - UNSETTLED_HOURS * HOUR_MS;
  return readSummaryOver(db, filter, {
    from: new Date(fromMs),
    until: new Date(untilMs),
    agedUntil: untilMs - fromMs > RAW_WINDOW_MS ? new Date(settledMs) : null,
  });
}

async function authorise(context: RouteContext, request: FastifyRequest): Promise<void> {
  const principal = await context.authenticate(request);
  refuseUnless(may(principal.roles, 'canaries', 'read'), {
    subject: principal.personId,
    object: 'canaries',
    action: 'read',
  });
}

/** Wraps the rows without parsing them; `duration` is how long the answer took, in ms. */
function envelope(context: RouteContext, startedMs: number, field: string, rows: string): string {
  const duration = Math.max(0, Math.round(context.platform.now() - startedMs));
  const runner = JSON.stringify(context.hostname);
  return `{"duration":${duration},"runnerName":${runner},"${field}":${rows}}`;
}

export function registerSummaryRoutes(app: FastifyInstance, context: RouteContext): void {
  const { platform } = context;

  app.get('/api/canary/api/summary', async (request, reply) => {
    const startedMs = platform.now();
    await authorise(context, request);
    const range = parse(rangeSchema, request.query);
    const rows = await summaryText(context, EVERYTHING, range);
    return reply
      .type('application/json; charset=utf-8')
      .send(envelope(context, startedMs, 'checks_summary', rows));
  });

  app.post('/api/canary/api/summary', async (request, reply) => {
    const startedMs = platform.now();
    await authorise(context, request);
    const range = parse(rangeSchema, request.query);
    const body = parse(bodySchema, request.body);
    const since = body?.DeleteFrom;
    const filter: SummaryFilter = {
      deletedSince: since === null || since === undefined ? null : new Date(since),
      labels: body?.Labels ?? null,
      checkId: null,
    };
    const rows = await summaryText(context, filter, range);
    return reply
      .type('application/json; charset=utf-8')
      .send(envelope(context, startedMs, 'checks_summary', rows));
  });

  app.get('/api/canary/api', async (request, reply) => {
    const startedMs = platform.now();
    await authorise(context, request);
    const query = parse(checkQuerySchema, request.query);
    const rows = await summaryText(context, { ...EVERYTHING, checkId: query.check }, query);
    return reply.type('application/json; charset=utf-8').send(envelope(context, startedMs, 'checks', rows));
  });
}
