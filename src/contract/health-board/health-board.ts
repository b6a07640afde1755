/**
 * The answer to a question about the health board, as pure functions: filter → tab → group → hide → sort →
 * expand; rows are built only for the window that is asked for.
 * - `counts` are of all live checks; a tab's numbers are of those that pass search and labels, whether or not
 *   Hide Passing hides them, so that tabs stay in place while one types.
 * - A group is of all checks in the tab that pass search and labels: Hide Passing hides rows, it never changes
 *   what a group adds up to. A group disappears when every one of its checks passes.
 * - Hide Passing hides only checks that are known to pass now (design §4 law 11).
 */
import type { HealthFrame, HealthQuery, HealthRow, HealthTab, LabelFacet } from '../worker.ts';
import { ALL_TAB, groupKey, tabKey } from '../../domain/check/grouping.ts';
import { groupRuns } from '../../domain/check/group-runs.ts';
import { emptyCounts, type HealthCounts } from '../../domain/check/health.ts';
import type { TimeRange } from '../../domain/time/ranges.ts';
import type { Entry } from './check-index.ts';
import { foundOf, orderOf, STATES, statesOf } from './check-lists.ts';
import { FoundGroup, shownGroups, type FoundChecks } from './found-groups.ts';
import { groupingOf, type Grouping } from '../../lib/groupings.ts';
import { groupMeasures, namesOf, totalsOf } from './measures.ts';
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
  found: FoundChecks;
  /** Null where nothing is grouped. */
  grouping: Grouping | null;
  /** By group: 1 where a check of its is not hidden. */
  hasShown: Uint8Array;
  counts: HealthCounts;
  shownCounts: HealthCounts;
  hiddenPassing: number;
  tabs: HealthTab[];
}

/** Numbers of checks by state, `STATES.length` for each of several tabs. */
const countsAt = (numbers: Uint32Array, tab: number): HealthCounts => {
  const counts = emptyCounts();
  for (const [at, state] of STATES.entries()) counts[state] = numbers[tab * STATES.length + at] ?? 0;
  return counts;
};

function tabOf(key: string, { healthy, unhealthy, warning, unknown }: HealthCounts): HealthTab {
  return { key, total: healthy + unhealthy + warning + unknown, unhealthy, unknown };
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

function tabsOf(keys: readonly string[], numbers: Uint32Array): HealthTab[] {
  const all = emptyCounts();
  const tabs = keys.map((key, at) => {
    const counts = countsAt(numbers, at);
    for (const state of STATES) all[state] += counts[state];
    return tabOf(key, counts);
  });
  return [tabOf(ALL_TAB, all), ...tabs.toSorted(compareTabs)];
}

/** Numbers and positions only, whatever the list's length: this runs at every key. */
function filterEntries(entries: readonly Entry[], query: HealthQuery): Filtered {
  const { ofTabs, ofGroups } = groupingsOf(entries, query);
  const { stateAt, passingAt } = statesOf(entries);
  const foundAt = foundOf(entries, query);
  const wantedTab = query.tab === ALL_TAB ? null : ofTabs.keys.indexOf(query.tab);
  const isInTab = (at: number) => wantedTab === null || ofTabs.groupAt[at] === wantedTab;
  const counts = new Uint32Array(STATES.length);
  const shown = new Uint32Array(STATES.length);
  const byTab = new Uint32Array(STATES.length * ofTabs.keys.length);
  const hasShown = new Uint8Array(ofGroups?.keys.length ?? 0);
  const askedAt = new Uint8Array(entries.length);
  let hiddenPassing = 0;
  for (let at = 0; at < foundAt.length; at += 1) {
    const state = stateAt[at] ?? 0;
    counts[state] = (counts[state] ?? 0) + 1;
    if (foundAt[at] === 0) continue;
    const cell = (ofTabs.groupAt[at] ?? 0) * STATES.length + state;
    byTab[cell] = (byTab[cell] ?? 0) + 1;
    if (!isInTab(at)) continue;
    askedAt[at] = 1;
    if (query.hidePassing && passingAt[at] === 1) hiddenPassing += 1;
    else {
      shown[state] = (shown[state] ?? 0) + 1;
      if (ofGroups !== null) hasShown[ofGroups.groupAt[at] ?? 0] = 1;
    }
  }
  return {
    found: { entries, isInTab, askedAt },
    grouping: ofGroups,
    hasShown,
    counts: countsAt(counts, 0),
    shownCounts: countsAt(shown, 0),
    hiddenPassing,
    tabs: tabsOf(ofTabs.keys, byTab),
  };
}

/** A row before it is built: a check as it is in the list, or a group. */
type Slot = Entry | FoundGroup;

/** The checks that are shown, in their order: all, or those of each group that is open. */
function shownOf(
  { entries, askedAt }: FoundChecks,
  query: HealthQuery,
  listOf: (at: number) => Entry[] | undefined,
): void {
  const { passingAt } = statesOf(entries);
  for (const at of orderOf(entries, { by: query.sortBy, isDescending: query.sortDesc })) {
    if (askedAt[at] === 0 || (query.hidePassing && passingAt[at] === 1)) continue;
    const entry = entries[at];
    if (entry !== undefined) listOf(at)?.push(entry);
  }
}

function slotsOf({ found, grouping, hasShown }: Filtered, query: HealthQuery): readonly Slot[] {
  if (grouping === null) {
    const shown: Entry[] = [];
    shownOf(found, query, () => shown);
    return shown;
  }
  const groups = sortItems({
    items: shownGroups({ grouping, found }, hasShown, query.expanded),
    order: { by: query.sortBy, isDescending: query.sortDesc },
    measure: (group) => groupMeasures(totalsOf(group.members())),
  });
  const open = new Map(
    groups.flatMap(({ place, isExpanded }) => (isExpanded ? [[place, [] as Entry[]]] : [])),
  );
  if (open.size === 0) return groups;
  shownOf(found, query, (at) => open.get(grouping.groupAt[at] ?? 0));
  return groups.flatMap((group) => [group, ...(open.get(group.place) ?? [])]);
}

/** The columns of all rows: of the checks that are shown, or of the groups that are. */
function pivotColumns({ found, grouping, hasShown }: Filtered, slots: readonly Slot[], pivotBy: string) {
  if (grouping === null) return pivotColumnsOf(slots.flatMap(checksOf), pivotBy);
  const isInGroup = (at: number) => found.askedAt[at] === 1 && hasShown[grouping.groupAt[at] ?? 0] === 1;
  return pivotColumnsOf(
    found.entries.filter((_, at) => isInGroup(at)),
    pivotBy,
  );
}

/** The checks that a row is of. */
const checksOf = (slot: Slot): Entry[] => (slot instanceof FoundGroup ? slot.members() : [slot]);

function rowOf(slot: Slot, { pivotBy, groupBy }: HealthQuery): HealthRow {
  const checks = checksOf(slot);
  const pivot = pivotOf(checks, pivotBy);
  if (!(slot instanceof FoundGroup)) {
    const { check, health } = slot;
    return { kind: 'check', key: check.id, check, health, isNested: groupBy !== 'none', pivot };
  }
  const { lastTransitionMs: _, ...totals } = totalsOf(checks);
  return {
    kind: 'group',
    key: slot.key,
    name: slot.key,
    memberCount: slot.memberCount(),
    ...totals,
    ...namesOf(checks),
    runs: groupRuns(checks.map(({ check }) => check.recent_runs)),
    isExpanded: slot.isExpanded,
    pivot,
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
      pivotColumns: query.pivotBy === null ? [] : pivotColumns(filtered, slots, query.pivotBy),
      summaryRange: input.summaryRange,
    },
    rows: (start, end) => slots.slice(start, end).map((slot) => rowOf(slot, query)),
  };
}
