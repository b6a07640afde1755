/** The answer to a question about the catalog: filter → rank or order → group → rows of the window alone. */
import type {
  CatalogFrame,
  CatalogItemRow,
  CatalogQuery,
  CatalogRow,
} from '../../../src/contract/catalog-view.ts';
import { emptyCounts } from '../../../src/domain/check/health.ts';
import type { WindowBoard } from '../window-view.ts';
import { createFinder, ranked, wordsOf } from './catalog-filter.ts';
import { groupRow, groupsOf, slotsOf, type Slot } from './catalog-groups.ts';
import type { CatalogItem, CatalogItems } from './catalog-items.ts';

export interface CatalogData {
  items: CatalogItems;
  hasChanges: () => boolean;
  hasAnalysis: () => boolean;
  nowMs: () => number;
}

function itemRow(item: CatalogItem, depth: number): CatalogItemRow {
  const { tally } = item;
  return {
    kind: 'item',
    key: item.id,
    depth,
    name: item.name || item.id,
    type: item.type,
    status: item.status,
    health: item.health,
    changes: tally?.changes ?? 0,
    tags: item.tags ?? {},
    analysis: tally?.analysis ?? {},
    cost1d: item.cost1d,
    cost7d: item.cost7d,
    cost30d: item.cost30d,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    deletedAt: item.deletedAt,
    changedAt: tally?.changedAt ?? null,
  };
}

function slotRow(slot: Slot): CatalogRow {
  return 'item' in slot ? itemRow(slot.item, slot.depth) : groupRow(slot.group, slot.isOpen);
}

const NO_LABELS = { facets: [], tagKeys: [] };

/** A search puts the best first, unless an order was chosen. */
function inShownOrder(found: readonly CatalogItem[], query: CatalogQuery): readonly CatalogItem[] {
  const words = wordsOf(query.search);
  return words.length > 0 && query.sortBy === 'type' && !query.isDescending ? ranked(found, words) : found;
}

/** Answers one view's questions; it remembers the last, so that a longer search narrows it. */
export function createCatalogBoard(
  data: CatalogData,
): (query: CatalogQuery) => WindowBoard<CatalogFrame, CatalogRow> {
  const find = createFinder();
  return (query) => {
    const { items } = data;
    const all = items.inOrder(query.sortBy, query.isDescending);
    const found = find({ items: all, version: items.version }, query);
    const health = emptyCounts();
    for (const item of found) health[item.health] += 1;
    const shown = inShownOrder(found, query);
    const isFlat = query.groupBy.length === 0;
    const slots = isFlat ? [] : slotsOf(groupsOf(shown, query, data.nowMs()), query);
    return {
      frame: {
        isLoaded: items.isLoaded(),
        hasAnalysis: data.hasAnalysis(),
        hasChanges: data.hasChanges(),
        rowCount: isFlat ? shown.length : slots.length,
        itemCount: found.length,
        totalCount: all.length,
        health,
        ...items.values(),
        ...(query.wantsFacets ? items.labels() : NO_LABELS),
      },
      rows: (start, end) =>
        isFlat
          ? shown.slice(start, end).map((item) => itemRow(item, 0))
          : slots.slice(start, end).map(slotRow),
    };
  };
}
