/**
 * The answer to a question about the health board, as pure functions: filter → tab → group → hide → sort →
 * expand; rows are built only for the window that is asked for.
 * - `counts` are of all live checks; a tab's numbers are of those that pass search and labels, whether or not
 *   Hide Passing hides them, so that tabs stay in place while one types.
 * - A group is of all checks in the tab that pass search and labels: Hide Passing hides rows, it never changes
 *   what a group adds up to. A group disappears when every one of its checks passes.
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
import { groupingOf } from './groupings.ts';
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
  /** What tab, search and labels leave; groups add these up. */
  asked: Entry[];
  /** The groups of those, by name as they were met; none where nothing is grouped. */
  groups: { key: string; members: Entry[]; memberCount: number }[];
  counts: HealthCounts;
  shownCounts: HealthCounts;
  hiddenPassing: number;
  tabs: HealthTab[];
}

/** True for a row that Hide Passing leaves out. */
const isHidden = (entry: Entry, query: HealthQuery) => query.hidePassing && isPassing(entry.health);

const emptyTab = (key: string): HealthTab => ({ key, total: 0, unhealthy: 0, unknown: 0 });

function addToTab(tab: HealthTab, { health }: Entry): void {
  tab.total += 1;
  if (health.state === 'unhealthy') tab.unhealthy += 1;
  if (health.state === 'unknown') tab.unknown += 1;
}

/** Who falls into which tab and group; null where nothing is grouped. */
function groupingsOf(entries: readonly Entry[], { tabBy, groupBy }: HealthQuery) {
  return {
    ofTabs: groupingOf(entries, `tab ${tabBy}`, ({ check }) => tabKey(check, tabBy)),
    ofGroups:
      groupBy === 'none'
        ? null
        : groupingOf(entries, `group ${groupBy}`, ({ check }) => groupKey(check, groupBy)),
  };
}

const compareTabs = (a: HealthTab, b: HealthTab) => (a.key < b.key ? -1 : 1);

function filterEntries(entries: readonly Entry[], query: HealthQuery): Filtered {
  const needle = query.query.trim().toLowerCase();
  const hasLabels = compileLabelFilter(query.labels);
  const { ofTabs, ofGroups } = groupingsOf(entries, query);
  const counts = emptyCounts();
  const shownCounts = emptyCounts();
  const tabs = ofTabs.keys.map(emptyTab);
  const all = emptyTab(ALL_TAB);
  const wantedTab = query.tab === ALL_TAB ? null : ofTabs.keys.indexOf(query.tab);
  const groups = (ofGroups?.keys ?? []).map((key) => ({ key, members: [] as Entry[], memberCount: 0 }));
  const asked: Entry[] = [];
  let hiddenPassing = 0;
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined) continue;
    counts[entry.health.state] += 1;
    const tabAt = ofTabs.groupAt[at] ?? 0;
    const isInTab = wantedTab === null || wantedTab === tabAt;
    const group = ofGroups === null ? undefined : groups[ofGroups.groupAt[at] ?? 0];
    if (isInTab && group !== undefined) group.memberCount += 1;
    if (!entry.text.includes(needle) || !hasLabels(entry.check.labels)) continue;
    const tab = tabs[tabAt];
    if (tab !== undefined) addToTab(tab, entry);
    addToTab(all, entry);
    if (!isInTab) continue;
    asked.push(entry);
    group?.members.push(entry);
    if (isHidden(entry, query)) hiddenPassing += 1;
    else shownCounts[entry.health.state] += 1;
  }
  return { asked, groups, counts, shownCounts, hiddenPassing, tabs: [all, ...tabs.toSorted(compareTabs)] };
}

/** A row before it is built. */
type Slot =
  | { kind: 'check'; entry: Entry; isNested: boolean }
  | {
      kind: 'group';
      key: string;
      members: readonly Entry[];
      memberCount: number;
      totals: GroupTotals;
      isExpanded: boolean;
    };

type GroupSlot = Extract<Slot, { kind: 'group' }>;

interface NamedGroup {
  key: string;
  lower: string;
}

function compareGroups(a: NamedGroup, b: NamedGroup): number {
  if (a.lower !== b.lower) return a.lower < b.lower ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

/** The groups in name order, but those whose every check is hidden. */
function groupsOf({ groups }: Filtered, query: HealthQuery): GroupSlot[] {
  const expanded = new Set(query.expanded);
  return groups
    .filter(({ members }) => members.some((entry) => !isHidden(entry, query)))
    .map((group) => ({ ...group, lower: group.key.toLowerCase() }))
    .toSorted(compareGroups)
    .map(({ key, members, memberCount }) => ({
      kind: 'group',
      key,
      members,
      memberCount,
      totals: totalsOf(members),
      isExpanded: expanded.has(key),
    }));
}

function slotsOf(filtered: Filtered, query: HealthQuery): Slot[] {
  const order = { by: query.sortBy, isDescending: query.sortDesc };
  const checks = (entries: readonly Entry[], isNested: boolean): Slot[] => {
    const shown = query.hidePassing ? entries.filter((entry) => !isHidden(entry, query)) : entries;
    return sortItems(shown, order, measuresOf).map((entry) => ({ kind: 'check', entry, isNested }));
  };
  if (query.groupBy === 'none') return checks(filtered.asked, false);
  return sortItems(groupsOf(filtered, query), order, (group) => groupMeasures(group.totals)).flatMap(
    (group) => (group.isExpanded ? [group, ...checks(group.members, true)] : [group]),
  );
}

/** The checks that the rows are of, group members included. */
const checksOf = (slots: readonly Slot[]): Entry[] =>
  slots.flatMap((slot) => (slot.kind === 'group' ? slot.members : slot.entry));

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
    memberCount: slot.memberCount,
    ...totals,
    ...namesOf(slot.members),
    isExpanded: slot.isExpanded,
    pivot: pivotOf(slot.members, pivotBy),
  };
}

/** Answers a question. */
export function boardOf(input: BoardInput, query: HealthQuery): Board {
  const filtered = filterEntries(input.entries, query);
  const slots = slotsOf(filtered, query);
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
      pivotColumns: query.pivotBy === null ? [] : pivotColumnsOf(checksOf(slots), query.pivotBy),
      summaryRange: input.summaryRange,
    },
    rows: (start, end) => slots.slice(start, end).map((slot) => rowOf(slot, query.pivotBy)),
  };
}
