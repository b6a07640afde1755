import { formatCount } from '../../../domain/format-count.ts';
import type { CatalogColumn } from '../../../contract/catalog-view.ts';
import { tagOfGroup } from '../../../domain/catalog/grouping.ts';
import type { HealthState } from '../../../domain/check/health.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

const number = formatCount;
const GROUPS = lookupTable<string>({
  config_class: 'Provider',
  type: 'Type',
  name: 'Name',
  analysis: 'Analysis',
  changed: 'Changed',
});

/** Everything that the catalog's front says. */
export const messages = {
  grid: 'Catalog items',
  search: 'Search for configs',
  clearSearch: 'Clear search',
  loading: 'Loading the catalog …',
  items: (count: number, total: number) =>
    count === total
      ? `${number(count)} ${count === 1 ? 'item' : 'items'}`
      : `${number(count)} of ${number(total)} items`,
  health: {
    healthy: 'Healthy',
    unhealthy: 'Unhealthy',
    warning: 'Warning',
    unknown: 'Unknown',
  } satisfies Record<HealthState, string>,
  filters: {
    all: 'Filters',
    active: (count: number) => `Filters, ${count} active`,
    type: 'Type',
    labels: 'Labels',
    status: 'Status',
    health: 'Health',
    groupBy: 'Group by',
    groupNote: 'Groups are nested in this order.',
    noGroups: 'No groups',
    byDefault: 'Default',
    tag: (key: string) => `Tag: ${key}`,
    view: 'View',
    hideDeleted: 'Hide Deleted Catalog',
    columns: 'Columns',
    clear: 'Clear filters',
    sort: 'Sort by',
    descending: 'Descending',
  },
  groupName: (by: string) => {
    const tag = tagOfGroup(by);
    return tag === null ? (GROUPS[by] ?? by) : tag;
  },
  noValue: (by: string) => `No ${(tagOfGroup(by) ?? GROUPS[by] ?? by).toLowerCase()}`,
  columns: {
    name: 'Name',
    type: 'Type',
    health: 'Status',
    changes: 'Changes',
    tags: 'Tags',
    analysis: 'Analysis',
    cost_total_1d: 'Cost',
    cost_total_7d: 'Cost (7d)',
    cost_total_30d: 'Cost (30d)',
    created_at: 'Created',
    updated_at: 'Updated',
    deleted_at: 'Deleted At',
    changed: 'Changed',
    count: 'Items',
  } satisfies Record<CatalogColumn, string>,
  deleted: 'Deleted',
  pin: (name: string) => `Pin ${name} to the top`,
  unpin: (name: string) => `Unpin ${name}`,
  open: (name: string) => `Open ${name}`,
  close: (name: string) => `Close ${name}`,
  changes: (count: number, days: number) =>
    `${number(count)} ${count === 1 ? 'change' : 'changes'} in ${days} days`,
  insights: (type: string, count: number) => `${number(count)} ${type}`,
  more: (count: number) => `+${count}`,
  cost: {
    title: 'Cost',
    windows: { cost1d: 'Last day', cost7d: 'Last 7 days', cost30d: 'Last 30 days' },
    trend: (percent: number) => `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`,
    trendTitle: (percent: number) =>
      `The last day cost ${Math.abs(percent)}% ${percent > 0 ? 'more' : 'less'} than a day of the month on average`,
    details: (name: string) => `Cost of ${name}`,
  },
  empty: {
    title: 'Nothing in the catalog yet',
    hint: 'Configuration items come from scrapers. Once one has run, what it found is here.',
    toScrapers: 'See the scrapers',
  },
  nothingFound: {
    title: 'Nothing matches',
    hint: 'Try fewer or other words, or fewer filters.',
    deletedHint: 'Deleted items are hidden; the View menu shows them.',
  },
  changesFrom: {
    device: 'Changes of the last 7 days, from this device.',
    server: (clock: string) => `30-day changes from the server, as of ${clock}.`,
    kept: (clock: string) => `30-day changes as the server said them at ${clock}.`,
  },
  serverOnly: {
    offline: 'Items that were deleted more than 7 days ago are on the server alone, which cannot be reached.',
    deleted: (count: number) => `Also on the server: ${number(count)} more, deleted more than 7 days ago.`,
    capped: (cap: number) => `This device keeps the first ${number(cap)} items of the catalog.`,
    show: 'Show them',
    emptyHint: 'The server has none of them any more.',
    title: 'Deleted more than 7 days ago',
    failed: 'The server could not be asked',
    first: (count: number, total: number) => `The first ${number(count)} of ${number(total)}`,
  },
} as const;
