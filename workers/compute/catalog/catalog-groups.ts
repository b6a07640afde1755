/**
 * Items by group, nested as deep as there are keys (contract §19.4), and what each group adds up to. Groups of one
 * level come in the order of the column, favourites before all others, unknown values last.
 */
import type { CatalogColumn, CatalogGroupRow, CatalogQuery } from '../../../src/contract/catalog-view.ts';
import { emptyCounts } from '../../../src/domain/check/health.ts';
import type { Slots, SlotReader } from '../../../src/contract/row-index/column.ts';
import { asPairs } from '../live/columns.ts';
import type { CatalogColumns } from './catalog-columns.ts';
import type { Tally } from './tallies.ts';

const TAG = 'tag:';
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

interface Group {
  by: string;
  value: string | null;
  path: CatalogGroupRow['path'];
  count: number;
  health: CatalogGroupRow['health'];
  changes: number;
  insights: number;
  analysis: Record<string, number>;
  cost1d: number;
  cost7d: number;
  cost30d: number;
  createdAt: string | null;
  updatedAt: string | null;
  isFavorite: boolean;
  below: Map<string | null, Group>;
  /** Slots. */
  items: number[];
}

/** How long ago an item last changed, as a group. */
function changedGroup(tally: Tally | undefined, nowMs: number): string {
  if (tally?.changedAt === undefined) return `Not in the last ${WEEK_DAYS} days`;
  return nowMs - Date.parse(tally.changedAt) < DAY_MS ? 'In the last day' : `In the last ${WEEK_DAYS} days`;
}

/** The value by which each item is grouped. */
function groupValues(columns: CatalogColumns, by: string, nowMs: number): SlotReader<string | null> {
  const { table, tally } = columns;
  switch (by) {
    case 'config_class':
      return columns.configClass;
    case 'type':
      return columns.type;
    case 'name':
      return (slot) => columns.name(slot) || null;
    case 'analysis':
      return (slot) =>
        Object.keys(tally(slot)?.analysis ?? {})
          .toSorted()
          .join(', ') || null;
    case 'changed':
      return (slot) => changedGroup(tally(slot), nowMs);
    default:
      return by.startsWith(TAG)
        ? table.map('tags', (tags) => asPairs(tags)?.[by.slice(TAG.length)] ?? null)
        : () => null;
  }
}

function newGroup(by: string, value: string | null, above: Group | null): Group {
  return {
    by,
    value,
    path: [...(above?.path ?? []), { by, value }],
    count: 0,
    health: emptyCounts(),
    changes: 0,
    insights: 0,
    analysis: {},
    cost1d: 0,
    cost7d: 0,
    cost30d: 0,
    createdAt: null,
    updatedAt: null,
    isFavorite: false,
    below: new Map(),
    items: [],
  };
}

function add(group: Group, columns: CatalogColumns, slot: number): void {
  const [createdAt, updatedAt] = [columns.createdAt(slot), columns.updatedAt(slot)];
  const tally = columns.tally(slot);
  group.count += 1;
  group.health[columns.health(slot)] += 1;
  group.cost1d += columns.cost1d(slot);
  group.cost7d += columns.cost7d(slot);
  group.cost30d += columns.cost30d(slot);
  // The newest of each, as the server's summary has it.
  if (createdAt !== null && (group.createdAt === null || createdAt > group.createdAt))
    group.createdAt = createdAt;
  if (updatedAt !== null && (group.updatedAt === null || updatedAt > group.updatedAt))
    group.updatedAt = updatedAt;
  if (tally === undefined) return;
  group.changes += tally.changes;
  group.insights += tally.insights;
  for (const type in tally.analysis)
    group.analysis[type] = (group.analysis[type] ?? 0) + (tally.analysis[type] ?? 0);
}

function amount(group: Group, column: CatalogColumn): number | string | null {
  switch (column) {
    case 'health':
      return -group.health.unhealthy;
    case 'changes':
      return group.changes;
    case 'analysis':
      return group.insights;
    case 'cost_total_1d':
      return group.cost1d;
    case 'cost_total_7d':
      return group.cost7d;
    case 'cost_total_30d':
      return group.cost30d;
    case 'count':
      return group.count;
    case 'created_at':
      return group.createdAt;
    case 'updated_at':
    case 'changed':
      return group.updatedAt;
    case 'name':
    case 'type':
    case 'tags':
    case 'deleted_at':
      return group.value?.toLowerCase() ?? null;
  }
}

function compareGroups(a: Group, b: Group, { sortBy, isDescending }: CatalogQuery): number {
  if (a.isFavorite !== b.isFavorite) return a.isFavorite ? -1 : 1;
  const [x, y] = [amount(a, sortBy), amount(b, sortBy)];
  if (x !== y) {
    if (x === null || y === null) return x === null ? 1 : -1;
    return x < y === isDescending ? 1 : -1;
  }
  return (a.value ?? '\uffff') < (b.value ?? '\uffff') ? -1 : 1;
}

/** The groups of the outermost level. */
export function groupsOf(
  slots: Slots,
  columns: CatalogColumns,
  { query, nowMs }: { query: CatalogQuery; nowMs: number },
): Map<string | null, Group> {
  const top = new Map<string | null, Group>();
  const favorites = new Set(query.favorites);
  const levels = query.groupBy.map((by) => ({ by, valueAt: groupValues(columns, by, nowMs) }));
  for (const slot of slots) {
    const type = columns.type(slot);
    const isFavorite = type !== null && favorites.has(type);
    let level = top;
    let group: Group | null = null;
    for (const { by, valueAt } of levels) {
      const value = valueAt(slot);
      let next = level.get(value);
      if (next === undefined) {
        next = newGroup(by, value, group);
        level.set(value, next);
      }
      // A class with a favourite in it comes first, too: else the favourite would be hard to find.
      if (isFavorite && (by === 'type' || by === 'config_class')) next.isFavorite = true;
      add(next, columns, slot);
      level = next.below;
      group = next;
    }
    if (query.hasItems) group?.items.push(slot);
  }
  return top;
}

/** A row before it is built. */
export type Slot = { group: Group; isOpen: boolean | null } | { item: number; depth: number };

/** What names a group among all others: its values from the top down. */
export function groupKey(group: Group): string {
  return JSON.stringify(group.path.map(({ value }) => value));
}

/** All rows that are to be seen, in order. */
export function slotsOf(groups: ReadonlyMap<string | null, Group>, query: CatalogQuery): Slot[] {
  const closed = new Set(query.closed);
  const slots: Slot[] = [];
  const visit = (level: ReadonlyMap<string | null, Group>) => {
    for (const group of [...level.values()].toSorted((a, b) => compareGroups(a, b, query))) {
      const hasBelow = group.below.size > 0 || group.items.length > 0;
      const isOpen = hasBelow ? !closed.has(groupKey(group)) : null;
      slots.push({ group, isOpen });
      if (isOpen !== true) continue;
      visit(group.below);
      for (const item of group.items) slots.push({ item, depth: group.path.length });
    }
  };
  visit(groups);
  return slots;
}

/** `isOpen` is null for a group that can't be unfolded. */
export function groupRow(group: Group, isOpen: boolean | null): CatalogGroupRow {
  const { below: _below, items: _items, insights: _insights, ...rest } = group;
  return { kind: 'group', key: groupKey(group), depth: group.path.length - 1, ...rest, isOpen };
}
