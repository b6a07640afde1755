/**
 * The catalog's items as its front needs them, made from the rows that live queries hold: nothing is kept twice,
 * an item only refers to its row. Orders are the collection's own and are kept up to date by it.
 * Invariant: an item is made once per row and never changed; a changed row is another item.
 */
import type { HealthState } from '../../../src/domain/check/health.ts';
import { healthOfWord } from '../../../src/domain/check/health.ts';
import { comparableType } from '../../../src/domain/catalog/type-names.ts';
import type { LabelFacet } from '../../../src/contract/worker.ts';
import type { CatalogColumn, ValueCount } from '../../../src/contract/catalog-view.ts';
import type { Entry } from '../live/entry.ts';
import type { LiveSource } from '../live/live-query.ts';
import type { Sort } from '../live/row-order.ts';
import { countInto, facetsOf, valueCounts } from './facets.ts';
import { healthRank, type Tally, type Tallies } from './tallies.ts';

type Pairs = Readonly<Record<string, string>>;

/** What is read of a row of `configs` (projection: server migration 0004). */
interface ConfigRow {
  name?: string | null;
  type?: string | null;
  config_class?: string | null;
  status?: string | null;
  health?: string | null;
  tags?: Pairs | null;
  labels?: Pairs | null;
  cost_total_1d?: number | string | null;
  cost_total_7d?: number | string | null;
  cost_total_30d?: number | string | null;
  created_at?: string | null;
  updated_at?: string | null;
  deleted_at?: string | null;
}

export interface CatalogItem {
  readonly id: string;
  readonly row: ConfigRow;
  /** Lower case; everything that is searched besides the status. */
  readonly text: string;
  readonly nameKey: string;
  /** As types are compared (links write them differently). */
  readonly typeKey: string;
  readonly statusKey: string;
  readonly health: HealthState;
}

function itemOf(entry: Entry): CatalogItem {
  // The row was parsed as one of this collection when it came in.
  const row = entry.row as unknown as ConfigRow;
  return {
    id: entry.row.id,
    row,
    text: entry.text,
    nameKey: (row.name ?? '').toLowerCase(),
    typeKey: comparableType(row.type ?? ''),
    statusKey: (row.status ?? '').toLowerCase(),
    health: healthOfWord(row.health),
  };
}

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

function textOfTags({ row }: CatalogItem): string {
  const pairs = Object.entries(row.tags ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.toSorted().join(',');
}

function numberOf(item: CatalogItem, column: CatalogColumn, tally: Tally | undefined): number {
  switch (column) {
    case 'health':
      return healthRank(item.health);
    case 'changes':
      return tally?.changes ?? 0;
    case 'analysis':
      return tally?.insights ?? 0;
    case 'changed':
      return tally?.changedAt === undefined ? 0 : Date.parse(tally.changedAt);
    case 'cost_total_1d':
    case 'cost_total_7d':
    case 'cost_total_30d':
      return Number(item.row[column] ?? 0);
    // Texts and times: the collection orders by them itself; items have no count.
    case 'name':
    case 'type':
    case 'tags':
    case 'created_at':
    case 'updated_at':
    case 'deleted_at':
    case 'count':
      return 0;
  }
}

/** What all views share of one state of the data. */
export class CatalogItems {
  /** Rises with each change of the items or of what is counted of them; equal versions mean equal answers. */
  version = 0;
  private readonly source: LiveSource;
  private readonly tallies: Tallies;
  private readonly made = new WeakMap<Entry, CatalogItem>();
  private readonly ordered = new Map<string, readonly CatalogItem[]>();
  private counted: { types: ValueCount[]; statuses: ValueCount[]; tagKeys: string[] } | null = null;
  private facets: LabelFacet[] | null = null;

  constructor(source: LiveSource, tallies: Tallies) {
    this.source = source;
    this.tallies = tallies;
  }

  isLoaded(): boolean {
    return this.source.isLoaded();
  }

  tallyOf(id: string): Tally | undefined {
    return this.tallies.of(id);
  }

  /** Something changed: what was worked out is worked out anew when it is next asked for. */
  forget(isOfItems: boolean): void {
    this.version += 1;
    this.ordered.clear();
    if (!isOfItems) return;
    this.counted = null;
    this.facets = null;
  }

  /** All items in the order of a column; ties by type, then name. */
  inOrder(column: CatalogColumn, isDescending: boolean): readonly CatalogItem[] {
    const key = `${column} ${String(isDescending)}`;
    const known = this.ordered.get(key);
    if (known !== undefined) return known;
    const sort = OWN_ORDER[column]?.(isDescending);
    const items = sort === undefined ? this.sorted(column, isDescending) : this.read(sort);
    this.ordered.set(key, items);
    return items;
  }

  /** What the filters offer: values with how many items that aren't deleted have them. */
  values(): { types: ValueCount[]; statuses: ValueCount[]; tagKeys: string[] } {
    if (this.counted !== null) return this.counted;
    const types = new Map<string, number>();
    const statuses = new Map<string, number>();
    const keys = new Set<string>();
    for (const { row } of this.inOrder('type', false)) {
      for (const key in row.tags) keys.add(key);
      if (isDeleted(row)) continue;
      countInto(types, row.type);
      countInto(statuses, row.status);
    }
    this.counted = {
      types: valueCounts(types),
      statuses: valueCounts(statuses),
      tagKeys: [...keys].toSorted(),
    };
    return this.counted;
  }

  labelFacets(): LabelFacet[] {
    this.facets ??= facetsOf(
      this.inOrder('type', false)
        .filter(({ row }) => !isDeleted(row))
        .map(({ row }) => [row.tags, row.labels]),
    );
    return this.facets;
  }

  private read(sort: Sort): CatalogItem[] {
    const window = { start: 0, end: Number.POSITIVE_INFINITY };
    return this.source.index
      .find({ passes: () => true, sort, window }, () => {})
      .map((entry) => {
        const known = this.made.get(entry);
        if (known !== undefined) return known;
        const item = itemOf(entry);
        this.made.set(entry, item);
        return item;
      });
  }

  private sorted(column: CatalogColumn, isDescending: boolean): CatalogItem[] {
    const base = [...this.read(BY_TYPE)];
    const sign = isDescending ? -1 : 1;
    if (column === 'tags') {
      const texts = new Map(base.map((item) => [item, textOfTags(item)]));
      const textOf = (item: CatalogItem) => texts.get(item) ?? '';
      // Items without tags last, in either direction.
      return base.sort((a, b) => {
        const [x, y] = [textOf(a), textOf(b)];
        if (x === y) return 0;
        if (x === '' || y === '') return x === '' ? 1 : -1;
        return x < y ? -sign : sign;
      });
    }
    const keys = Float64Array.from(base, (item) => sign * numberOf(item, column, this.tallyOf(item.id)));
    const places = Uint32Array.from(base.keys());
    places.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    return Array.from(places, (at) => base[at]).filter((item): item is CatalogItem => item !== undefined);
  }
}

export function isDeleted(row: ConfigRow): boolean {
  return row.deleted_at !== null && row.deleted_at !== undefined;
}
