/** The columns of the catalog, how wide they are, and which leave first where there is little room. */
import type { CatalogColumn } from '../../../contract/catalog-view.ts';
import type { FoldableColumn } from '../../../ui/tables/fold-columns.ts';

export interface ListColumn extends FoldableColumn {
  id: CatalogColumn;
  width: string;
  align?: 'end';
}

const WIDTHS: Record<CatalogColumn, Omit<ListColumn, 'id'>> = {
  name: { width: 'minmax(240px, 2.4fr)' },
  type: { width: 'minmax(130px, 1fr)', priority: 1 },
  health: { width: 'minmax(140px, 1fr)', priority: 1 },
  changes: { width: '76px', align: 'end' },
  tags: { width: 'minmax(160px, 1.6fr)', priority: 3 },
  analysis: { width: 'minmax(150px, 1fr)', priority: 3 },
  cost_total_1d: { width: '116px', align: 'end' },
  cost_total_7d: { width: '92px', align: 'end' },
  cost_total_30d: { width: '92px', align: 'end' },
  created_at: { width: '72px', align: 'end', priority: 3 },
  updated_at: { width: '76px', align: 'end' },
  deleted_at: { width: '88px', align: 'end' },
  changed: { width: '76px', align: 'end' },
  count: { width: '76px', align: 'end' },
};

const SUMMARY: readonly CatalogColumn[] = [
  'name',
  'changes',
  'health',
  'analysis',
  'cost_total_30d',
  'created_at',
  'updated_at',
];
const LIST: readonly CatalogColumn[] = [
  'name',
  'type',
  'health',
  'changes',
  'tags',
  'analysis',
  'cost_total_1d',
  'created_at',
  'updated_at',
];
/** Room for a bar with its counts. */
const BAR = { width: 'minmax(240px, 1.2fr)' };
/** In the order in which they stand. */
export function columnsOf(view: {
  hasItems: boolean;
  hasGroups: boolean;
  /** All rows are of this type: it would say the same in each. */
  isOneType: boolean;
  extra: readonly CatalogColumn[];
}): ListColumn[] {
  const names = [...(view.hasItems ? LIST : SUMMARY), ...(view.hasItems ? view.extra : [])];
  return names
    .filter((id) => !(view.isOneType && id === 'type'))
    .map((id) => ({
      id,
      ...WIDTHS[id],
      ...(id === 'health' && view.hasGroups ? BAR : {}),
      // What somebody asked for stays before what is usual.
      ...(view.extra.includes(id) ? { priority: 1 as const } : {}),
    }));
}
