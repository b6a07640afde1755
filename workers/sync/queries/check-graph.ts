import { CHECK_QUERIES } from '../../../src/contract/queries/check-queries.ts';
import { graphOf } from '../../../src/domain/check/graph.ts';
import { rangeStart, type TimeRange } from '../../../src/domain/time/ranges.ts';
import { handleCached } from '../subscriptions/query-handler.ts';
import { runsAsOfMs } from '../subscriptions/runs-age.ts';

/** Points of the overview chart (spec 1 §2). */
const GRAPH_POINTS = 300;

/** `start` as the contract's graph takes it: months and years only as an instant. */
function graphStart(range: TimeRange, nowMs: number): string {
  return /mo$|y$/.test(range) ? new Date(rangeStart(range, nowMs)).toISOString() : range;
}

export const query = handleCached(CHECK_QUERIES['check-graph'], {
  fetch({ http, serverNow }, { checkId, range }, signal) {
    const start = graphStart(range, serverNow());
    const search = new URLSearchParams({ check: checkId, count: String(GRAPH_POINTS), start });
    return http.json({ path: `/api/canary/api/graph?${search.toString()}`, signal });
  },
  async fromDevice(context, { checkId, range }, fromCache) {
    const { statuses, serverNow } = context;
    const { runs, fromMs, readAtMs } = await statuses.runs(checkId);
    const untilMs = runsAsOfMs(context, readAtMs) ?? serverNow();
    const startMs = rangeStart(range, serverNow());
    const isPartial = fromMs === null || startMs < fromMs;
    const document = isPartial ? await fromCache() : null;
    if (document !== null || fromMs === null) return document;
    const value = graphOf(runs, { fromMs: startMs, untilMs: serverNow(), maxPoints: GRAPH_POINTS });
    return { value, asOfMs: untilMs, source: 'device', isPartial };
  },
});
