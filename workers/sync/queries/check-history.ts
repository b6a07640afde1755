import { CHECK_STATUS_COLUMNS, checkStatusSchema } from '../../../src/contract/http/canary.ts';
import { CHECK_QUERIES, type HistoryEntry } from '../../../src/contract/queries/check-queries.ts';
import type { CheckStatus } from '../../../src/domain/check/check.ts';
import { matchesHistory } from '../../../src/domain/check/history-filter.ts';
import { rangeStart } from '../../../src/domain/time/ranges.ts';
import type { PageQuestion } from '../network/data-api.ts';
import { createRowParser } from '../pull/row-parser.ts';
import { handleCached } from '../subscriptions/query-handler.ts';
import { runsAsOfMs } from '../subscriptions/runs-age.ts';
import { sortedBy } from '../../../src/lib/sorted-by.ts';

function entryOf({ time, status, duration, message, error }: CheckStatus): HistoryEntry {
  return { time, status, duration, message, error };
}

export const query = handleCached(CHECK_QUERIES['check-history'], {
  async fetch({ api, serverNow, report }, { checkId, range, status, minMs, page: number, pageSize }, signal) {
    const parse = createRowParser('check_statuses', checkStatusSchema, report);
    const where: NonNullable<PageQuestion['where']>[number][] = [
      { column: 'check_id', operator: 'eq', value: checkId },
      { column: 'time', operator: 'gt', value: new Date(rangeStart(range, serverNow())).toISOString() },
    ];
    if (status !== 'All')
      where.push({ column: 'status', operator: 'eq', value: String(status === 'Healthy') });
    if (minMs !== null) where.push({ column: 'duration', operator: 'gte', value: String(minMs) });
    const offset = number * pageSize;
    const page = await api.page({
      table: 'check_statuses',
      select: CHECK_STATUS_COLUMNS,
      where,
      order: [{ column: 'time', isDescending: true }],
      limit: pageSize,
      offset,
      wantsTotal: true,
      signal,
    });
    const entries = parse(page.rows).map(entryOf);
    return { entries, total: page.total ?? offset + entries.length };
  },
  async fromDevice(context, { checkId, range, status, minMs, page, pageSize }) {
    const { runs, fromMs, readAtMs } = await context.statuses.runs(checkId);
    if (fromMs === null) return null;
    const cutoffMs = rangeStart(range, context.serverNow());
    const found = sortedBy(
      runs.filter((run) => Date.parse(run.time) > cutoffMs && matchesHistory(run, status, minMs)),
      (run) => -Date.parse(run.time),
    );
    const offset = page * pageSize;
    return {
      value: { entries: found.slice(offset, offset + pageSize).map(entryOf), total: found.length },
      asOfMs: runsAsOfMs(context, readAtMs) ?? fromMs,
      source: 'device',
      isPartial: cutoffMs < fromMs,
    };
  },
});
