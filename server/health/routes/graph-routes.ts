/** The graph of one check (schema §4.7). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may } from '../../../src/domain/access/matrix.ts';
import { bucketMsFor } from '../../../src/domain/check/graph.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { refuseUnless } from '../../access/policies/refuse-unless.ts';
import { presentGraph } from './graph-presenter.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import { readAgedPercentiles, readBuckets, readPercentiles, readSeams } from './graph-query.ts';
import type { GraphWindow } from './graph-query.ts';
import { timeWindow } from '../../platform/http/time-window.ts';

/** More points than any screen has columns. */
const MAX_POINTS = 2000;
const DEFAULT_POINTS = 300;

const moment = z.string().max(64).optional();
const querySchema = z.object({
  check: z.guid({ error: 'must be the id of a check' }),
  count: z.coerce.number().int().min(1).max(MAX_POINTS).default(DEFAULT_POINTS),
  start: moment,
  since: moment,
  end: moment,
  until: moment,
});

async function readGraph(db: Queryable, window: GraphWindow, widthMs: number) {
  const seams = await readSeams(db, window.checkId);
  // Without runs the sums cover all; without hourly sums the daily ones reach up to the runs.
  const runsFrom = seams.runs_from === null ? window.until : new Date(seams.runs_from);
  const hoursFrom = seams.hours_from === null ? runsFrom : new Date(seams.hours_from);
  const buckets = await readBuckets(db, window, { runsFrom, hoursFrom, widthMs });
  const percentiles = await readPercentiles(db, window);
  return {
    buckets,
    percentiles: percentiles.length > 0 ? percentiles : await readAgedPercentiles(db, window, hoursFrom),
  };
}

/** `/api/canary/api/graph`: a check's runs over a window. */
export function registerGraphRoutes(
  app: FastifyInstance,
  context: RouteContext & { hostname: string },
): void {
  const { platform, hostname } = context;

  const answer = async (request: FastifyRequest) => {
    const startedMs = platform.now();
    const principal = await context.authenticate(request);
    refuseUnless(may(principal.roles, 'canaries', 'read'), {
      subject: principal.personId,
      object: 'canaries',
      action: 'read',
    });
    const query = parse(querySchema, request.query);
    const asked = { start: query.start ?? query.since, end: query.end ?? query.until };
    const { fromMs, untilMs } = timeWindow(asked, platform.now());
    const window = { checkId: query.check, from: new Date(fromMs), until: new Date(untilMs) };
    const widthMs = bucketMsFor(untilMs - fromMs, query.count);
    const graph = await readGraph(context.callerDatabase(request), window, widthMs);
    const duration = Math.max(0, Math.round(platform.now() - startedMs));
    return { duration, runnerName: hostname, ...presentGraph(graph) };
  };
  app.get('/api/canary/api/graph', answer);
  // What older callers call it.
  app.get('/api/canary/api/details', answer);
}
