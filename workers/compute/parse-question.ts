/**
 * Parses what the UI asks. By hand rather than with the contract's schema: this worker starts with the page,
 * and the schema library would be most of its code. The test holds both to the same verdicts.
 */
import { isRecord } from '../../src/lib/is-record.ts';
import type { HealthQuery, SortColumn } from '../../src/contract/worker.ts';
import { isGroupBy, isTabBy } from '../../src/domain/check/grouping.ts';
import type { TriState } from '../../src/domain/check/label-filter.ts';
import { isTimeRange } from '../../src/domain/time/ranges.ts';
import { flag, refuse, text } from './question-fields.ts';

const MAX_QUERY_CHARS = 1000;

const SORTS: Record<SortColumn, true> = {
  name: true,
  health: true,
  uptime: true,
  latency: true,
  transition: true,
};

function labelsOf(value: unknown): Record<string, TriState> {
  if (!isRecord(value)) return refuse('labels');
  const labels: Record<string, TriState> = {};
  for (const [key, sign] of Object.entries(value))
    labels[key] = sign === 1 || sign === -1 ? sign : refuse(key);
  return labels;
}

function isSortColumn(value: string): value is SortColumn {
  return Object.hasOwn(SORTS, value);
}

/** A question about the health board, or an error that names the field. */
export function parseHealthQuery(value: unknown): HealthQuery {
  if (!isRecord(value)) return refuse('form');
  const query = text(value.query, 'query');
  const groupBy = text(value.groupBy, 'groupBy');
  const tabBy = text(value.tabBy, 'tabBy');
  const sortBy = text(value.sortBy, 'sortBy');
  const timeRange = text(value.timeRange, 'timeRange');
  if (!Array.isArray(value.expanded)) return refuse('expanded');
  return {
    hidePassing: flag(value.hidePassing, 'hidePassing'),
    query: query.length <= MAX_QUERY_CHARS ? query : refuse('query'),
    labels: labelsOf(value.labels),
    groupBy: isGroupBy(groupBy) ? groupBy : refuse('groupBy'),
    tabBy: isTabBy(tabBy) ? tabBy : refuse('tabBy'),
    tab: text(value.tab, 'tab'),
    pivotBy: value.pivotBy === null ? null : text(value.pivotBy, 'pivotBy'),
    sortBy: isSortColumn(sortBy) ? sortBy : refuse('sortBy'),
    sortDesc: flag(value.sortDesc, 'sortDesc'),
    timeRange: isTimeRange(timeRange) ? timeRange : refuse('timeRange'),
    expanded: value.expanded.map((key) => text(key, 'expanded')),
  };
}
