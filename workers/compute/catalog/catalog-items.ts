/**
 * The catalog's items as its front needs them: columns of the rows that live queries hold, and their slots in an order.
 * Orders are the collection's own where it can, and are kept up to date by it.
 */
import type { LabelFacet } from '../../../src/contract/worker.ts';
import type { CatalogColumn, ValueCount } from '../../../src/contract/catalog-view.ts';
import type { Slots, SlotReader } from '../../../src/contract/row-index/column.ts';
import { asPairs, asText, type Pairs } from '../live/columns.ts';
import type { LiveSource } from '../../../src/contract/row-index/live-answer.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import type { Sort } from '../../../src/contract/row-index/row-order.ts';
import { columnsOf, type CatalogColumns } from './catalog-columns.ts';
import { countInto, facetsOf, valueCounts } from './facets.ts';
import { healthRank, type Tallies } from './tallies.ts';

/** Columns that the collection orders by itself. */
const OWN_ORDER: Partial<Record<CatalogColumn, (isDescending: boolean) => Sort>> = {
  name: (isDescending) => [
    { field: 'name', isDescending },
    { field: 'type', isDescending: false },
  ],
  type: (isDescending) => [
    { field: 'type', isDescending },
    { field: 'name', isDescending: false },
  ],
  created_at: (isDescending) => [{ field: 'created_at', isDescending }],
  updated_at: (isDescending) => [{ field: 'updated_at', isDescending }],
  deleted_at: (isDescending) => [{ field: 'deleted_at', isDescending }],
};
const BY_TYPE: Sort = [
  { field: 'type', isDescending: false },
  { field: 'name', isDescending: false },
];

function textOfTags(tags: Pairs | null): string {
  const pairs = Object.entries(tags ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.toSorted().join(',');
}

/** What items are ordered by as a number. */
function numbersOf(columns: CatalogColumns, column: CatalogColumn): SlotReader<number> {
  const { health, tally, cost1d, cost7d, cost30d } = columns;
  switch (column) {
    case 'health':
      return (slot) => healthRank(health(slot));
    case 'changes':
      return (slot) => tally(slot)?.changes ?? 0;
    case 'analysis':
      return (slot) => tally(slot)?.insights ?? 0;
    case 'changed':
      return (slot) => {
        const changedAt = tally(slot)?.changedAt;
        return changedAt === undefined ? 0 : Date.parse(changedAt);
      };
    case 'cost_total_1d':
      return cost1d;
    case 'cost_total_7d':
      return cost7d;
    case 'cost_total_30d':
      return cost30d;
    // Texts and times: the collection orders by them itself; items have no count.
    case 'name':
    case 'type':
    case 'tags':
    case 'created_at':
    case 'updated_at':
    case 'deleted_at':
    case 'count':
      return () => 0;
  }
}

/** The labels of these slots, each different one once with how often it is there. */
function countLabels(table: RowTable, slots: Slots, column: string): (readonly [Pairs, number])[] {
  return [...table.count(slots, column)].flatMap(([value, count]) => {
    const pairs = asPairs(value);
    return pairs === null ? [] : [[pairs, count] as const];
  });
}

function countTexts(table: RowTable, slots: Slots, column: string): ValueCount[] {
  const counts = new Map<string, number>();
  for (const [value, count] of table.count(slots, column)) countInto(counts, asText(value), count);
  return valueCounts(counts);
}

/** What all views share of one state of the data. */
export class CatalogItems {
  /** Rises with each change of the items or of what is counted of them; equal versions mean equal answers. */
  version = 0;
  private readonly source: LiveSource;
  private readonly tallies: Tallies;
  private readonly ordered = new Map<string, Slots>();
  private known: CatalogColumns | null = null;
  private counted: { types: ValueCount[]; statuses: ValueCount[] } | null = null;
  private facets: { facets: LabelFacet[]; tagKeys: string[] } | null = null;

  constructor(source: LiveSource, tallies: Tallies) {
    this.source = source;
    this.tallies = tallies;
  }

  isLoaded(): boolean {
    return this.source.isLoaded();
  }

  /** Items changed: what was worked out is worked out anew when it is next asked for. */
  forget(): void {
    this.recount();
    this.counted = null;
    this.facets = null;
  }

  /** Changes or insights did: the items get other tallies when they are next asked for. */
  recount(): void {
    this.version += 1;
    this.ordered.clear();
    this.known = null;
  }

  /** As the items are now. */
  columns(): CatalogColumns {
    this.known ??= columnsOf(this.source.index.table, this.tallies);
    return this.known;
  }

  /** All items in the order of a column; ties by type, then name. Not to be changed. */
  inOrder(column: CatalogColumn, isDescending: boolean): Slots {
    const own = OWN_ORDER[column]?.(isDescending);
    if (own !== undefined) return this.source.index.inOrder(own);
    const key = `${column} ${String(isDescending)}`;
    const known = this.ordered.get(key) ?? this.sorted(column, isDescending);
    this.ordered.set(key, known);
    return known;
  }

  /** What the filters offer: values with how many items that aren't deleted have them. */
  values(): { types: ValueCount[]; statuses: ValueCount[] } {
    if (this.counted !== null) return this.counted;
    const { table } = this.columns();
    const shown = this.notDeleted();
    this.counted = { types: countTexts(table, shown, 'type'), statuses: countTexts(table, shown, 'status') };
    return this.counted;
  }

  /** The same for tags and labels, and which tags there are to group by. */
  labels(): { facets: LabelFacet[]; tagKeys: string[] } {
    if (this.facets !== null) return this.facets;
    const { table } = this.columns();
    const shown = this.notDeleted();
    const tags = countLabels(table, shown, 'tags');
    this.facets = {
      facets: facetsOf([...tags, ...countLabels(table, shown, 'labels')]),
      tagKeys: [...new Set(tags.flatMap(([pairs]) => Object.keys(pairs)))].toSorted(),
    };
    return this.facets;
  }

  private notDeleted(): Slots {
    const { table } = this.columns();
    return table.narrow(table.takenSlots(), 'deleted_at', (value) => asText(value) === null);
  }

  private sorted(column: CatalogColumn, isDescending: boolean): Slots {
    const base = this.source.index.inOrder(BY_TYPE);
    const columns = this.columns();
    const places = Uint32Array.from(base.keys());
    const sign = isDescending ? -1 : 1;
    if (column === 'tags') {
      const textOf = columns.table.map('tags', (value) => textOfTags(asPairs(value)));
      const texts = Array.from(base, textOf);
      // Items without tags last, in either direction.
      places.sort((a, b) => {
        const [x, y] = [texts[a] ?? '', texts[b] ?? ''];
        if (x === y) return a - b;
        if (x === '' || y === '') return x === '' ? 1 : -1;
        return x < y ? -sign : sign;
      });
    } else {
      const numberOf = numbersOf(columns, column);
      const keys = Float64Array.from(base, (slot) => sign * numberOf(slot));
      places.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    }
    return places.map((place) => base[place] ?? 0);
  }
}
