/**
 * The health page's state as its query string (spec 1 §2, contract §19.2). A link says nothing about what it leaves
 * out, so that the reader's own settings apply.
 */
import type { GroupBy, TabBy } from '../../domain/check/grouping.ts';
import { isGroupBy, isTabBy } from '../../domain/check/grouping.ts';
import type { LabelFilter, TriState } from '../../domain/check/label-filter.ts';
import { parseLabelEntry } from '../../domain/check/label-filter.ts';
import { isTimeRange, type TimeRange } from '../../domain/time/ranges.ts';
import {
  choice,
  flag,
  known,
  searchSchema,
  text,
  triStateAs,
  type SearchOf,
} from '../../ui/search/search-params.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

function parseLabels(json: string): LabelFilter {
  // A cut or hand-written link is as good as no filter.
  const found = jsonOrNull(json);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
  const labels: Record<string, TriState> = {};
  for (const [entry, sign] of Object.entries(found)) {
    if ((sign === 1 || sign === -1) && parseLabelEntry(entry) !== null) labels[entry] = sign;
  }
  return labels;
}

/** What a link to the page may say. */
export const healthSearch = searchSchema({
  layout: choice(['table', 'card']),
  timeRange: known<TimeRange>(isTimeRange),
  checkId: text,
  labels: triStateAs(parseLabels, JSON.stringify),
  query: text,
  /** Columns by a fixed field, or by the label that `pivotLabel` names. */
  pivotBy: choice(['none', 'namespace', 'agent', 'type', 'labels']),
  pivotLabel: text,
  pivotCellType: choice(['checkStatus', 'uptime', 'latency']),
  sortBy: choice(['name', 'health', 'uptime', 'latency', 'transition']),
  sortDesc: flag,
  groupBy: known<GroupBy>(isGroupBy),
  tabBy: known<TabBy>(isTabBy),
  tab: text,
  hidePassing: flag,
});

/** Only what the link says. */
export type HealthSearch = SearchOf<typeof healthSearch>;
export type HealthUrlState = { [Name in keyof HealthSearch]-?: Exclude<HealthSearch[Name], undefined> };
export type Layout = HealthUrlState['layout'];
export type PivotBy = HealthUrlState['pivotBy'];
