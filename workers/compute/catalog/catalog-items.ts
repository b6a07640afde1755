/**
 * The catalog's items as its front needs them, made from the rows that live queries hold: an item shares its
 * row's texts and labels. Orders are the collection's own and are kept up to date by it.
 * Invariant: an item is made once per row and never changed; a changed row is another item.
 */
import type { HealthState } from '../../../src/domain/check/health.ts';
import { healthOfWord } from '../../../src/domain/check/health.ts';
import { classOfType, comparableType } from '../../../src/domain/catalog/type-names.ts';
import type { LabelFacet } from '../../../src/contract/worker.ts';
import type { CatalogColumn, ValueCount } from '../../../src/contract/catalog-view.ts';
import { numberIn, pairsIn, textIn, type Pairs } from '../live/columns.ts';
import type { Entry } from '../live/entry.ts';
import type { LiveSource } from '../live/live-query.ts';
import type { Sort } from '../live/row-order.ts';
import { countInto, facetsOf, valueCounts } from './facets.ts';
import { healthRank, type Tally, type Tallies } from './tallies.ts';

export interface CatalogItem {
  readonly id: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly tags: Pairs | null;
  readonly labels: Pairs | null;
  /** Lower case; everything that is searched besides the status. */
  readonly text: string;
  readonly nameKey: string;
  /** Null, not empty, when it has none. */
  readonly type: string | null;
  readonly configClass: string | null;
  /** As types are compared (links write them differently). */
  readonly typeKey: string;
  readonly statusKey: string;
  readonly health: HealthState;
  readonly isDeleted: boolean;
  readonly cost1d: number;
  readonly cost7d: number;
  readonly cost30d: number;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly deletedAt: string | null;
  /** Set anew whenever changes or insights were counted anew: looking each up per question costs more than it. */
  tally: Tally | undefined;
}

/** Equal texts become the same text: comparing them is then as fast as comparing numbers. */
function createInterner(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same !== undefined) return same;
    known.set(text, text);
    return text;
  };
}

function itemOf({ row, text }: Entry, same: (text: string) => string, tally: Tally | undefined): CatalogItem {
  const name = textIn(row, 'name');
  const status = textIn(row, 'status');
  const deletedAt = textIn(row, 'deleted_at');
  const typeText = textIn(row, 'type') ?? '';
  const type = typeText === '' ? null : same(typeText);
  return {
    id: row.id,
    name,
    status,
    tags: pairsIn(row, 'tags'),
    labels: pairsIn(row, 'labels'),
    text,
    nameKey: (name ?? '').toLowerCase(),
    type,
    configClass: type === null ? null : same(classOfType(type)),
    typeKey: same(comparableType(type ?? '')),
    statusKey: same((status ?? '').toLowerCase()),
    health: healthOfWord(textIn(row, 'health')),
    isDeleted: deletedAt !== null,
    cost1d: numberIn(row, 'cost_total_1d'),
    cost7d: numberIn(row, 'cost_total_7d'),
    cost30d: numberIn(row, 'cost_total_30d'),
    createdAt: textIn(row, 'created_at'),
    updatedAt: textIn(row, 'updated_at'),
    deletedAt,
    tally,
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

function textOfTags({ tags }: CatalogItem): string {
  const pairs = Object.entries(tags ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.toSorted().join(',');
}

function numberOf(item: CatalogItem, column: CatalogColumn): number {
  const { tally } = item;
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
      return item.cost1d;
    case 'cost_total_7d':
      return item.cost7d;
    case 'cost_total_30d':
      return item.cost30d;
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
  private readonly same = createInterner();
  private isRecountDue = false;
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
    this.version += 1;
    this.ordered.clear();
    this.counted = null;
    this.facets = null;
  }

  /** Changes or insights did: the items get other tallies when they are next asked for. */
  recount(): void {
    this.version += 1;
    this.ordered.clear();
    this.isRecountDue = true;
  }

  /** All items in the order of a column; ties by type, then name. */
  inOrder(column: CatalogColumn, isDescending: boolean): readonly CatalogItem[] {
    if (this.isRecountDue) for (const item of this.read(BY_TYPE)) item.tally = this.tallies.of(item.id);
    this.isRecountDue = false;
    const key = `${column} ${String(isDescending)}`;
    const known = this.ordered.get(key);
    if (known !== undefined) return known;
    const sort = OWN_ORDER[column]?.(isDescending);
    const items = sort === undefined ? this.sorted(column, isDescending) : this.read(sort);
    this.ordered.set(key, items);
    return items;
  }

  /** What the filters offer: values with how many items that aren't deleted have them. */
  values(): { types: ValueCount[]; statuses: ValueCount[] } {
    if (this.counted !== null) return this.counted;
    const types = new Map<string, number>();
    const statuses = new Map<string, number>();
    for (const { isDeleted, type, status } of this.inOrder('type', false)) {
      if (isDeleted) continue;
      countInto(types, type);
      countInto(statuses, status);
    }
    this.counted = { types: valueCounts(types), statuses: valueCounts(statuses) };
    return this.counted;
  }

  /** The same for tags and labels, and which tags there are to group by. */
  labels(): { facets: LabelFacet[]; tagKeys: string[] } {
    if (this.facets !== null) return this.facets;
    const shown = this.inOrder('type', false).filter(({ isDeleted }) => !isDeleted);
    const tagKeys = new Set<string>();
    for (const { tags } of shown) for (const key in tags) tagKeys.add(key);
    this.facets = {
      facets: facetsOf(shown.map(({ tags, labels }) => [tags, labels])),
      tagKeys: [...tagKeys].toSorted(),
    };
    return this.facets;
  }

  private read(sort: Sort): CatalogItem[] {
    const window = { start: 0, end: Number.POSITIVE_INFINITY };
    return this.source.index
      .find({ passes: () => true, where: [], sort, window }, () => {})
      .map((entry) => {
        const known = this.made.get(entry);
        if (known !== undefined) return known;
        const item = itemOf(entry, this.same, this.tallies.of(entry.row.id));
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
    const keys = Float64Array.from(base, (item) => sign * numberOf(item, column));
    const places = Uint32Array.from(base.keys());
    places.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    return Array.from(places, (at) => base[at]).filter((item): item is CatalogItem => item !== undefined);
  }
}
