/** The job history's filters as its query string (spec 2 §2 'Job history', §5). */
import type { TableCondition } from '../../../contract/http/table-views.ts';
import { RUN_DURATIONS } from '../../../domain/job/job.ts';
import { boundsOf, parseRange, TWO_DAYS, type ChosenRange } from '../../../domain/time/time-range.ts';
import { parseTriState, unwanted, wanted, writeTriState, type TriState } from '../../../domain/tri-state.ts';
import type { Search } from '../../../ui/tables/use-table-state.ts';

export const FILTERS = ['name', 'resource_type', 'status'] as const;
export type FilterName = (typeof FILTERS)[number];

/** What went well is no news. */
const DEFAULT_STATUS = 'SUCCESS:-1';

/** A filter of the link; `none` in the link is a filter that was emptied. */
export function parseFilter(search: Search, name: FilterName): TriState {
  const text = search[name] ?? (name === 'status' ? DEFAULT_STATUS : '');
  return parseTriState(text);
}

/** The query string with another filter, on its first page. */
export function withFilter(search: Search, name: FilterName, filter: TriState): Search {
  const { [name]: _before, pageIndex: _page, ...rest } = search;
  const text = writeTriState(filter);
  const fallback = name === 'status' ? DEFAULT_STATUS : '';
  if (text === fallback) return rest;
  return { ...rest, [name]: text === '' ? 'none' : text };
}

export function parseDuration(search: Search): number | null {
  const known = RUN_DURATIONS.find(({ durationMs }) => String(durationMs) === search['runDuration']);
  return known?.durationMs ?? null;
}

/** The chosen range; without one, the last two days. */
export function rangeOf(search: Search): ChosenRange {
  return parseRange(search) ?? TWO_DAYS;
}

/** What the server is asked for. */
export function conditionsOf(search: Search, nowMs: number): TableCondition[] {
  const conditions: TableCondition[] = [];
  for (const column of FILTERS) {
    const filter = parseFilter(search, column);
    if (wanted(filter).length > 0) conditions.push({ op: 'in', column, values: wanted(filter) });
    if (unwanted(filter).length > 0) conditions.push({ op: 'not-in', column, values: unwanted(filter) });
  }
  const durationMs = parseDuration(search);
  if (durationMs !== null)
    conditions.push({ op: 'gte', column: 'duration_millis', value: String(durationMs) });
  const { after, before } = boundsOf(rangeOf(search), nowMs);
  if (after !== null) conditions.push({ op: 'after', column: 'created_at', moment: after });
  if (before !== null) conditions.push({ op: 'before', column: 'created_at', moment: before });
  return conditions;
}
