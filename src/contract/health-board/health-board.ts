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
import { groupingOf } from '../../lib/groupings.ts';
import { groupMeasures, namesOf, totalsOf, type GroupTotals } from './measures.ts';
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
  /** 1 by position for what tab, search and labels leave; groups add these up. */
  askedAt: Uint8Array;
  /** The groups of those, as they were met, and whether a check of theirs is not hidden; none where nothing is grouped. */
  groups: { key: string; members: Entry[]; memberCount: number; hasShown: boolean }[];
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

const newGroup = (key: string): Filtered['groups'][number] => ({
  key,
  members: [],
  memberCount: 0,
  hasShown: false,
});

/** Numbers and positions only, whatever the list's length: this runs at every key. */
function filterEntries(entries: readonly Entry[], query: HealthQuery): Filtered {
  const { ofTabs, ofGroups } = groupingsOf(entries, query);
  const { stateAt, passingAt } = statesOf(entries);
  const foundAt = foundOf(entries, query);
  const wantedTab = query.tab === ALL_TAB ? null : ofTabs.keys.indexOf(query.tab);
  const counts = new Uint32Array(STATES.length);
  const shown = new Uint32Array(STATES.length);
  const byTab = new Uint32Array(STATES.length * ofTabs.keys.length);
  const groups = (ofGroups?.keys ?? []).map(newGroup);
  const askedAt = new Uint8Array(entries.length);
  let hiddenPassing = 0;
  for (let at = 0; at < foundAt.length; at += 1) {
    const state = stateAt[at] ?? 0;
    counts[state] = (counts[state] ?? 0) + 1;
    const tab = ofTabs.groupAt[at] ?? 0;
    const isInTab = wantedTab === null || wantedTab === tab;
    const group = ofGroups === null ? undefined : groups[ofGroups.groupAt[at] ?? 0];
    if (isInTab && group !== undefined) group.memberCount += 1;
    if (foundAt[at] === 0) continue;
    const cell = tab * STATES.length + state;
    byTab[cell] = (byTab[cell] ?? 0) + 1;
    if (!isInTab) continue;
    askedAt[at] = 1;
    const entry = entries[at];
    if (group !== undefined && entry !== undefined) group.members.push(entry);
    if (query.hidePassing && passingAt[at] === 1) hiddenPassing += 1;
    else {
      shown[state] = (shown[state] ?? 0) + 1;
      if (group !== undefined) group.hasShown = true;
    }
  }
  return {
    askedAt,
    groups,
    counts: countsAt(counts, 0),
    shownCounts: countsAt(shown, 0),
    hiddenPassing,
    tabs: tabsOf(ofTabs.keys, byTab),
  };
}

/** A row before it is built: a check as it is in the list, or a group. */
type Slot = Entry | GroupSlot;

interface GroupSlot {
  key: string;
  members: readonly Entry[];
  memberCount: number;
  totals: GroupTotals;
  isExpanded: boolean;
}

const isGroup = (slot: Slot): slot is GroupSlot => 'members' in slot;

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
    .filter(({ hasShown }) => hasShown)
    .map((group) => ({ ...group, lower: group.key.toLowerCase() }))
    .toSorted(compareGroups)
    .map(({ key, members, memberCount }) => ({
      key,
      members,
      memberCount,
      totals: totalsOf(members),
      isExpanded: expanded.has(key),
    }));
}

/** The checks that are shown, in their order: all, or those of each group that is open. */
function shownOf(
  entries: readonly Entry[],
  { query, askedAt }: { query: HealthQuery; askedAt: Uint8Array },
  listOf: (at: number) => Entry[] | undefined,
): void {
  const { passingAt } = statesOf(entries);
  for (const at of orderOf(entries, { by: query.sortBy, isDescending: query.sortDesc })) {
    if (askedAt[at] === 0 || (query.hidePassing && passingAt[at] === 1)) continue;
    const entry = entries[at];
    if (entry !== undefined) listOf(at)?.push(entry);
  }
}

function slotsOf(entries: readonly Entry[], filtered: Filtered, query: HealthQuery): readonly Slot[] {
  const asked = { query, askedAt: filtered.askedAt };
  const { ofGroups } = groupingsOf(entries, query);
  if (ofGroups === null) {
    const shown: Entry[] = [];
    shownOf(entries, asked, () => shown);
    return shown;
  }
  const groups = sortItems({
    items: groupsOf(filtered, query),
    order: { by: query.sortBy, isDescending: query.sortDesc },
    measure: ({ totals }) => groupMeasures(totals),
  });
  const open = new Map(groups.flatMap(({ key, isExpanded }) => (isExpanded ? [[key, [] as Entry[]]] : [])));
  if (open.size === 0) return groups;
  const lists = ofGroups.keys.map((key) => open.get(key));
  shownOf(entries, asked, (at) => lists[ofGroups.groupAt[at] ?? 0]);
  return groups.flatMap((group) => [group, ...(open.get(group.key) ?? [])]);
}

/** The checks that the rows are of, group members included. */
const checksOf = (slots: readonly Slot[]): Entry[] =>
  slots.flatMap((slot) => (isGroup(slot) ? slot.members : slot));

function rowOf(slot: Slot, { pivotBy, groupBy }: HealthQuery): HealthRow {
  if (!isGroup(slot)) {
    const { check, health } = slot;
    return {
      kind: 'check',
      key: check.id,
      check,
      health,
      isNested: groupBy !== 'none',
      pivot: pivotOf([slot], pivotBy),
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
    runs: groupRuns(slot.members.map(({ check }) => check.recent_runs)),
    isExpanded: slot.isExpanded,
    pivot: pivotOf(slot.members, pivotBy),
  };
}

/** Answers a question. */
export function boardOf(input: BoardInput, query: HealthQuery): Board {
  const filtered = filterEntries(input.entries, query);
  const slots = slotsOf(input.entries, filtered, query);
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
    rows: (start, end) => slots.slice(start, end).map((slot) => rowOf(slot, query)),
  };
}
