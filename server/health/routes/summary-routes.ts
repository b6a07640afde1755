/** The health summary (schema §4.7) and the older form of it that the evidence view calls (contract §4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { refuseUnless } from '../../access/policies/refuse-unless.ts';
import { may } from '../../../src/domain/access/matrix.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { createSharedAnswers } from '../../platform/http/shared-answers.ts';
import { readRuns } from './check-query.ts';
import { countStates, readSummary, readSummaryOver } from './summary-query.ts';
import type { SummaryFilter } from './summary-query.ts';
import { timeWindow } from '../../platform/http/time-window.ts';

interface SummaryContext extends RouteContext<{ db: Database }> {
  hostname: string;
}

const HOUR_MS = 3_600_000;
/** Up to this long the runs themselves are read (1,000 checks every 30 s: 360,000); beyond, the hourly sums. */
const RAW_WINDOW_MS = 3 * HOUR_MS;
/** A window of hours doesn't change much meanwhile, and reading it is the most costly thing that a reader can ask. */
const KEEP_RANGE_MS = 5000;
/** Who asks for an answer that several requests get. */
const SHARED = 'health-summary';
/** The hourly job sums up the last three hours; the newest two may still change. */
const UNSETTLED_HOURS = 2;

/** As many runs as the evidence view can show. */
const MAX_RUNS = 500;

const rangeSchema = z.object({ start: z.string().max(64).optional(), end: z.string().max(64).optional() });
const checkQuerySchema = rangeSchema.extend({ check: z.guid(), includeMessages: z.string().optional() });
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

type Range = z.output<typeof rangeSchema>;
const isRange = (range: Range) => range.start !== undefined || range.end !== undefined;

async function summaryText(
  context: SummaryContext,
  db: Queryable,
  asked: { filter: SummaryFilter; range: Range },
): Promise<string> {
  const { filter, range } = asked;
  if (!isRange(range)) return readSummary(db, filter);
  const nowMs = context.platform.now();
  const { fromMs, untilMs } = timeWindow(range, nowMs);
  const settledMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - UNSETTLED_HOURS * HOUR_MS;
  return readSummaryOver(db, filter, {
    from: new Date(fromMs),
    until: new Date(untilMs),
    agedUntil: untilMs - fromMs > RAW_WINDOW_MS ? new Date(settledMs) : null,
  });
}

/** One check's summary with its newest runs in the window, as the evidence view shows them. */
async function withRuns(
  { context, db }: { context: SummaryContext; db: Queryable },
  rows: string,
  query: z.output<typeof checkQuerySchema>,
): Promise<string> {
  const { fromMs, untilMs } = timeWindow(query, context.platform.now());
  const window = { from: new Date(fromMs), until: new Date(untilMs), limit: MAX_RUNS };
  const runs = await readRuns(db, { checkId: query.check, ...window });
  // Both are the database's own JSON; the one row's last brace makes room for one more field.
  return rows === '[]' ? rows : `${rows.trimEnd().replace(/\}\s*\]$/, '')},"checkStatuses":${runs}}]`;
}

async function authorise(context: SummaryContext, request: FastifyRequest): Promise<void> {
  const principal = await context.authenticate(request);
  refuseUnless(may(principal.roles, 'canaries', 'read'), {
    subject: principal.personId,
    object: 'canaries',
    action: 'read',
  });
}

/** Sends the rows without parsing them; `duration` is how long the answer took, in ms. */
function sendRows(
  context: SummaryContext,
  reply: FastifyReply,
  answer: { startedMs: number; field: string; rows: string; counts?: string },
): FastifyReply {
  const duration = Math.max(0, Math.round(context.platform.now() - answer.startedMs));
  const runner = JSON.stringify(context.hostname);
  const counts = answer.counts === undefined ? '' : `,"counts":${answer.counts}`;
  const body = `{"duration":${duration},"runnerName":${runner}${counts},"${answer.field}":${answer.rows}}`;
  return reply.type('application/json; charset=utf-8').send(body);
}

function filterOf(body: z.output<typeof bodySchema>): SummaryFilter {
  const since = body?.DeleteFrom ?? null;
  return {
    deletedSince: since === null ? null : new Date(since),
    labels: body?.Labels ?? null,
    checkId: null,
  };
}

/** What the health board shows: summaries, and checks with their last runs. */
export function registerSummaryRoutes(app: FastifyInstance, context: SummaryContext): void {
  const { platform } = context;
  const ranges = createSharedAnswers(platform);

  app.get('/api/canary/api/summary', async (request, reply) => {
    const startedMs = platform.now();
    await authorise(context, request);
    const range = parse(rangeSchema, request.query);
    // What is shared goes on when this request is closed.
    const db = isRange(range)
      ? context.backend().db.asCaller({ id: SHARED })
      : context.callerDatabase(request);
    const read = () => summaryText(context, db, { filter: EVERYTHING, range });
    // The summary of now is never shared: who was told of a change must see it.
    const rows = isRange(range)
      ? await ranges.share(JSON.stringify(range), KEEP_RANGE_MS, read)
      : await read();
    const counts = await countStates(context.backend().db, EVERYTHING);
    return sendRows(context, reply, { startedMs, field: 'checks_summary', rows, counts });
  });

  app.post('/api/canary/api/summary', async (request, reply) => {
    const startedMs = platform.now();
    await authorise(context, request);
    const range = parse(rangeSchema, request.query);
    const filter = filterOf(parse(bodySchema, request.body));
    const db = context.callerDatabase(request);
    const rows = await summaryText(context, db, { filter, range });
    const counts = await countStates(db, filter);
    return sendRows(context, reply, { startedMs, field: 'checks_summary', rows, counts });
  });

  app.get('/api/canary/api', async (request, reply) => {
    const startedMs = platform.now();
    await authorise(context, request);
    const query = parse(checkQuerySchema, request.query);
    const db = context.callerDatabase(request);
    const filter = { ...EVERYTHING, checkId: query.check };
    const found = await summaryText(context, db, { filter, range: query });
    const rows = query.includeMessages === 'true' ? await withRuns({ context, db }, found, query) : found;
    return sendRows(context, reply, { startedMs, field: 'checks', rows });
  });
}
