/** The job history's filters as its query string (spec 2 §2 'Job history', §5). */
import type { TableCondition } from '../../../contract/http/table-question.ts';
import { RUN_DURATIONS } from '../../../domain/job/job.ts';
import { boundsOf, parseRange, TWO_DAYS, type ChosenRange } from '../../../domain/time/time-range.ts';
import { unwanted, wanted, type TriState } from '../../../domain/tri-state.ts';
import type { JobsSearch } from './search-schema.ts';

/** The jobs of one thing; there are more of them on a page (spec 2 §9). */
export const NEWEST_OF_ONE = { sortBy: 'created_at', isDescending: true, pageSize: 150 };

export const FILTERS = ['name', 'resource_type', 'status'] as const;
export type FilterName = (typeof FILTERS)[number];

/** What went well is no news. */
const DEFAULT_STATUS: TriState = { SUCCESS: -1 };

/** What a filter is set to. */
export function filterOf(search: JobsSearch, name: FilterName): TriState {
  return search[name] ?? (name === 'status' ? DEFAULT_STATUS : {});
}

const entries = (filter: TriState): string => JSON.stringify(Object.entries(filter));

/** What another filter changes in the link, on its first page. */
export function filterLink(name: FilterName, filter: TriState): JobsSearch {
  const fallback = name === 'status' ? DEFAULT_STATUS : {};
  return { pageIndex: undefined, [name]: entries(filter) === entries(fallback) ? undefined : filter };
}

/** How long a run takes at least, ms; null for any. */
export function durationOf(search: JobsSearch): number | null {
  const known = RUN_DURATIONS.find(({ durationMs }) => String(durationMs) === search.runDuration);
  return known?.durationMs ?? null;
}

/** The chosen range; without one, the last two days. */
export function rangeOf(search: JobsSearch): ChosenRange {
  return parseRange(search) ?? TWO_DAYS;
}

/** What the server is asked for. */
export function conditionsOf(search: JobsSearch, nowMs: number): TableCondition[] {
  const conditions: TableCondition[] = [];
  for (const column of FILTERS) {
    const filter = filterOf(search, column);
    if (wanted(filter).length > 0) conditions.push({ op: 'in', column, values: wanted(filter) });
    if (unwanted(filter).length > 0) conditions.push({ op: 'not-in', column, values: unwanted(filter) });
  }
  const durationMs = durationOf(search);
  if (durationMs !== null)
    conditions.push({ op: 'gte', column: 'duration_millis', value: String(durationMs) });
  const { after, before } = boundsOf(rangeOf(search), nowMs);
  if (after !== null) conditions.push({ op: 'after', column: 'created_at', moment: after });
  if (before !== null) conditions.push({ op: 'before', column: 'created_at', moment: before });
  return conditions;
}
