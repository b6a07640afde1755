/** Which columns a screen has room for, and how wide they are. */
import type { CatalogColumn } from '../../../contract/catalog-view.ts';

export interface ListColumn {
  id: CatalogColumn;
  width: string;
  align?: 'end';
}

const WIDTHS: Record<CatalogColumn, Omit<ListColumn, 'id'>> = {
  name: { width: 'minmax(200px, 2.4fr)' },
  type: { width: 'minmax(130px, 1fr)' },
  health: { width: 'minmax(140px, 1fr)' },
  changes: { width: '76px', align: 'end' },
  tags: { width: 'minmax(160px, 1.6fr)' },
  analysis: { width: 'minmax(150px, 1fr)' },
  cost_total_1d: { width: '116px', align: 'end' },
  cost_total_7d: { width: '92px', align: 'end' },
  cost_total_30d: { width: '92px', align: 'end' },
  created_at: { width: '72px', align: 'end' },
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
/** Left out where there is little room; the item's page has them. */
const WIDE_ONLY = new Set<CatalogColumn>(['tags', 'created_at']);

export function columnsOf(view: {
  hasItems: boolean;
  hasGroups: boolean;
  /** All rows are of this type: it would say the same in each. */
  isOneType: boolean;
  isRoomy: boolean;
  extra: readonly CatalogColumn[];
}): ListColumn[] {
  const names = [...(view.hasItems ? LIST : SUMMARY), ...(view.hasItems ? view.extra : [])];
  return names
    .filter((id) => !(view.isOneType && id === 'type') && (view.isRoomy || !WIDE_ONLY.has(id)))
    .map((id) => ({ id, ...WIDTHS[id], ...(id === 'health' && view.hasGroups ? BAR : {}) }));
}
