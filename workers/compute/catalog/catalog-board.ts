/** The answer to a question about the catalog: filter → rank or order → group → rows of the window alone. */
import type {
  CatalogFrame,
  CatalogItemRow,
  CatalogQuery,
  CatalogRow,
} from '../../../src/contract/catalog-view.ts';
import { emptyCounts, healthOfWord } from '../../../src/domain/check/health.ts';
import { asText } from '../live/columns.ts';
import type { WindowBoard } from '../window-view.ts';
import { createFinder, inShownOrder, wordsOf } from './catalog-filter.ts';
import type { CatalogColumns } from './catalog-columns.ts';
import { groupRow, groupsOf, slotsOf, type Slot } from './catalog-groups.ts';
import type { CatalogItems } from './catalog-items.ts';

export interface CatalogData {
  items: CatalogItems;
  hasChanges: () => boolean;
  hasAnalysis: () => boolean;
  nowMs: () => number;
}

function itemRow(columns: CatalogColumns, slot: number, depth: number): CatalogItemRow {
  const id = columns.table.idAt(slot);
  const tally = columns.tally(slot);
  return {
    kind: 'item',
    key: id,
    depth,
    name: columns.name(slot) || id,
    type: columns.type(slot),
    status: columns.status(slot),
    health: columns.health(slot),
    changes: tally?.changes ?? 0,
    tags: columns.tags(slot) ?? {},
    analysis: tally?.analysis ?? {},
    cost1d: columns.cost1d(slot),
    cost7d: columns.cost7d(slot),
    cost30d: columns.cost30d(slot),
    createdAt: columns.createdAt(slot),
    updatedAt: columns.updatedAt(slot),
    deletedAt: columns.deletedAt(slot),
    changedAt: tally?.changedAt ?? null,
  };
}

function slotRow(columns: CatalogColumns, slot: Slot): CatalogRow {
  return 'item' in slot ? itemRow(columns, slot.item, slot.depth) : groupRow(slot.group, slot.isOpen);
}

const NO_LABELS = { facets: [], tagKeys: [] };

/** A search puts the best first, unless an order was chosen. */
function rankedBy({ search, sortBy, isDescending }: CatalogQuery): string[] {
  return sortBy === 'type' && !isDescending ? wordsOf(search) : [];
}

/** Answers one view's questions; it remembers the last, so that a longer search narrows it. */
export function createCatalogBoard(
  data: CatalogData,
): (query: CatalogQuery) => WindowBoard<CatalogFrame, CatalogRow> {
  const find = createFinder();
  return (query) => {
    const { items } = data;
    const columns = items.columns();
    const all = items.inOrder(query.sortBy, query.isDescending);
    const found = find({ columns, version: items.version }, query);
    const health = emptyCounts();
    for (const [word, count] of columns.table.count(found, 'health'))
      health[healthOfWord(asText(word))] += count;
    const shown = inShownOrder(found, { order: all, columns, words: rankedBy(query) });
    const isFlat = query.groupBy.length === 0;
    const slots = isFlat ? [] : slotsOf(groupsOf(shown, columns, { query, nowMs: data.nowMs() }), query);
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
          ? Array.from(shown.subarray(start, end), (slot) => itemRow(columns, slot, 0))
          : slots.slice(start, end).map((slot) => slotRow(columns, slot)),
    };
  };
}
