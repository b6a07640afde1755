import { formatCount } from '../../domain/format-count.ts';
import type { SortColumn } from '../../contract/worker.ts';

const number = formatCount;
const checks = (count: number) => `${number(count)} ${count === 1 ? 'check' : 'checks'}`;

interface GroupFigures {
  fullyPassing: number;
  total: number;
  notRun: number;
}

/** Everything that the health dashboard says. */
export const messages = {
  choose: 'Choose',
  add: 'Add check',
  title: 'Health',
  checks,
  healthy: (count: number) => `${number(count)} healthy`,
  unhealthy: (count: number) => `${number(count)} unhealthy`,
  unknown: (count: number) => `${number(count)} unknown`,
  passingHidden: (count: number) => `${number(count)} passing hidden`,
  showing: (count: number) => `showing ${number(count)}`,
  search: 'Search checks',
  searchPlaceholder: 'Search by name, description, or endpoint',
  clearSearch: 'Clear search',
  filters: 'Filters',
  filtersActive: (count: number) => `Filters, ${count} active`,
  hidePassing: 'Hide passing',
  labels: 'Labels',
  searchLabels: 'Search labels',
  selectAll: 'Select all',
  selected: (count: number) => `${count} selected`,
  include: (value: string) => `Include ${value}`,
  exclude: (value: string) => `Exclude ${value}`,
  moreValues: (count: number) => `${number(count)} more: search to narrow`,
  noLabels: 'These checks carry no labels.',
  clearFilters: 'Clear filters',
  groupBy: 'Group by',
  tabBy: 'Tab by',
  groups: {
    none: 'No Grouping',
    canary_name: 'Group Name',
    name: 'Name',
    description: 'Description',
    type: 'Type',
  },
  tabs: { namespace: 'Namespace', agent: 'Agent' },
  all: 'All',
  timeRange: 'Time range',
  refreshRate: 'Refresh',
  layout: 'Layout',
  table: 'Table',
  cards: 'Cards',
  view: 'View',
  pivotBy: 'Columns by',
  pivotLabel: 'Label',
  pivotCell: 'Cells show',
  pivots: { none: 'None', namespace: 'Namespace', agent: 'Agent', type: 'Type', labels: 'Label' },
  cells: { checkStatus: 'Status', uptime: 'Uptime', latency: 'Latency' },
  columns: {
    name: 'Checks',
    health: 'Health',
    uptime: 'Uptime',
    latency: 'Latency',
    transition: 'Transition',
  } satisfies Record<SortColumn, string>,
  recentRuns: 'Last 30 runs',
  sort: 'Sort by',
  descending: 'Descending',
  fullyPassing: ({ fullyPassing, total, notRun }: GroupFigures) =>
    `${number(fullyPassing)} of ${number(total)} fully passing${notRun > 0 ? `, ${number(notRun)} without a run in this time` : ''}`,
  ofMembers: (shown: number, all: number) => `${number(shown)} of ${number(all)}`,
  membersShown: ({ total, memberCount }: { total: number; memberCount: number }) =>
    total === memberCount ? checks(total) : `${number(total)} of ${checks(memberCount)} match the filters`,
  latencyNote: '95 of 100 runs were at least this fast',
  was: (word: string) => `was ${word}`,
  overdue: 'overdue',
  notRun: (reason: string) => `Not run: ${reason}`,
  grid: 'Checks',
  expand: (name: string) => `Expand ${name}`,
  rangeFallback: (range: string) => `uptime of the last ${range}`,
  loading: 'Loading checks …',
  loadingPart: (percent: number) => `Loading checks for the first time: ${percent}%`,
  empty: 'No data available',
  emptyHint:
    'No checks are known yet. Put canary documents into the folder that CANARIES_DIR names, or start the server with --demo for an estate to look at.',
  emptyOffline:
    'Nothing was stored on this device before the connection was lost. Checks will appear when the server answers.',
  readHelp: 'How this works',
  filteredEmpty: 'No checks match',
  filteredEmptyHint: (count: number) => `${checks(count)} are here, but the search and filters leave none.`,
  allPassing: 'All checks are passing',
  allPassingHint: (count: number) => `${checks(count)} are healthy now and hidden as passing.`,
  showPassing: 'Show passing checks',
  failedCanaries: (count: number) =>
    count === 1 ? '1 canary could not be loaded' : `${formatCount(count)} canaries could not be loaded`,
  moreFailedCanaries: (count: number) => `Show all canaries (${formatCount(count)} more)`,
  announce: (now: number, before: number) => `${now} unhealthy, was ${before}`,
} as const;
