/**
 * The answer to a question about the health board, as pure functions: filter → tab → group → sort → expand;
 * rows are built only for the window that is asked for.
 * - `counts` are of all live checks; a tab's numbers are of those that pass search and labels, whether or not
 *   Hide Passing hides them, so that tabs stay in place while one types.
 * - Hide Passing hides only checks that are known to pass now (design §4 law 11).
 */
import type {
  HealthFrame,
  HealthQuery,
  HealthRow,
  HealthTab,
  LabelFacet,
} from '../../src/contract/worker.ts';
import { ALL_TAB, groupKey, tabKey } from '../../src/domain/check/grouping.ts';
import { emptyCounts, isPassing, type HealthCounts } from '../../src/domain/check/health.ts';
import { compileLabelFilter } from '../../src/domain/check/label-filter.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';
import type { Entry } from './check-index.ts';
import { groupMeasures, measuresOf, namesOf, totalsOf, type GroupTotals } from './measures.ts';
import { pivotColumnsOf, pivotOf } from './pivot.ts';
import { sortItems } from './sorting.ts';

export interface BoardInput {
  isLoaded: boolean;
  /** In name order. */
  entries: readonly Entry[];
  facets: readonly LabelFacet[];
  /** The window that uptime and latency of the entries are of. */
  summaryRange: TimeRange;
}

export interface Board {
  frame: HealthFrame;
  rows(start: number, end: number): HealthRow[];
}

interface Filtered {
  shown: Entry[];
  counts: HealthCounts;
  shownCounts: HealthCounts;
  hiddenPassing: number;
  tabs: HealthTab[];
}

function filterEntries(entries: readonly Entry[], query: HealthQuery): Filtered {
  const needle = query.query.trim().toLowerCase();
  const hasLabels = compileLabelFilter(query.labels);
  const counts = emptyCounts();
  const shownCounts = emptyCounts();
  const tabs = new Map<string, HealthTab>();
  const shown: Entry[] = [];
  let hiddenPassing = 0;
  for (const entry of entries) {
    const { check, health } = entry;
    counts[health.state] += 1;
    const key = tabKey(check, query.tabBy);
    let tab = tabs.get(key);
    if (tab === undefined) {
      tab = { key, total: 0, unhealthy: 0 };
      tabs.set(key, tab);
    }
    if (!entry.text.includes(needle) || !hasLabels(check.labels)) continue;
    tab.total += 1;
    if (health.state === 'unhealthy') tab.unhealthy += 1;
    if (query.tab !== ALL_TAB && query.tab !== key) continue;
    if (query.hidePassing && isPassing(health)) {
      hiddenPassing += 1;
      continue;
    }
    shownCounts[health.state] += 1;
    shown.push(entry);
  }
  const values = [...tabs.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const all = values.reduce<HealthTab>(
    (sum, { total, unhealthy }) => ({
      ...sum,
      total: sum.total + total,
      unhealthy: sum.unhealthy + unhealthy,
    }),
    { key: ALL_TAB, total: 0, unhealthy: 0 },
  );
  return { shown, counts, shownCounts, hiddenPassing, tabs: [all, ...values] };
}

/** A row before it is built. */
type Slot =
  | { kind: 'check'; entry: Entry; isNested: boolean }
  | { kind: 'group'; key: string; members: readonly Entry[]; totals: GroupTotals; isExpanded: boolean };

type GroupSlot = Extract<Slot, { kind: 'group' }>;

function compareGroupKeys([a]: [string, Entry[]], [b]: [string, Entry[]]): number {
  const x = a.toLowerCase();
  const y = b.toLowerCase();
  if (x !== y) return x < y ? -1 : 1;
  return a < b ? -1 : 1;
}

function groupsOf(shown: readonly Entry[], query: HealthQuery): GroupSlot[] {
  const { groupBy } = query;
  if (groupBy === 'none') return [];
  const groups = new Map<string, Entry[]>();
  for (const entry of shown) {
    const key = groupKey(entry.check, groupBy);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [entry]);
    else members.push(entry);
  }
  const expanded = new Set(query.expanded);
  return [...groups].toSorted(compareGroupKeys).map(([key, members]) => ({
    kind: 'group',
    key,
    members,
    totals: totalsOf(members),
    isExpanded: expanded.has(key),
  }));
}

function slotsOf(shown: readonly Entry[], query: HealthQuery): Slot[] {
  const order = { by: query.sortBy, isDescending: query.sortDesc };
  const checks = (entries: readonly Entry[], isNested: boolean): Slot[] =>
    sortItems(entries, order, measuresOf).map((entry) => ({ kind: 'check', entry, isNested }));
  if (query.groupBy === 'none') return checks(shown, false);
  return sortItems(groupsOf(shown, query), order, (group) => groupMeasures(group.totals)).flatMap((group) =>
    group.isExpanded ? [group, ...checks(group.members, true)] : [group],
  );
}

function rowOf(slot: Slot, pivotBy: string | null): HealthRow {
  if (slot.kind === 'check') {
    const { check, health } = slot.entry;
    return {
      kind: 'check',
      key: check.id,
      check,
      health,
      isNested: slot.isNested,
      pivot: pivotOf([slot.entry], pivotBy),
    };
  }
  const { lastTransitionMs: _, ...totals } = slot.totals;
  return {
    kind: 'group',
    key: slot.key,
    name: slot.key,
    ...totals,
    ...namesOf(slot.members),
    isExpanded: slot.isExpanded,
    pivot: pivotOf(slot.members, pivotBy),
  };
}

/** Answers a question. */
export function boardOf(input: BoardInput, query: HealthQuery): Board {
  const filtered = filterEntries(input.entries, query);
  const slots = slotsOf(filtered.shown, query);
  return {
    frame: {
      isLoaded: input.isLoaded,
      rowCount: slots.length,
      checkCount: input.entries.length,
      counts: filtered.counts,
      shown: filtered.shownCounts,
      hiddenPassing: filtered.hiddenPassing,
      tabs: filtered.tabs,
      facets: [...input.facets],
      pivotColumns: pivotColumnsOf(filtered.shown, query.pivotBy),
      summaryRange: input.summaryRange,
    },
    rows: (start, end) => slots.slice(start, end).map((slot) => rowOf(slot, query.pivotBy)),
  };
}
