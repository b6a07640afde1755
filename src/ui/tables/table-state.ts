/**
 * Order and page of a table as its query string (contract §19.11): `sortBy`, `sortOrder`, `pageIndex` (from 0) and
 * `pageSize`. Defaults are not written.
 */
import { pageParams, searchSchema, sortParams, type SearchOf } from '../search/search-params.ts';

export const PAGE_SIZES = [50, 100, 200] as const;
/** What other tables may offer (spec 1 §9). */
const ALL_PAGE_SIZES = [5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000];
const DEFAULT_PAGE_SIZE = 50;

export interface TableState {
  /** Column id; null for the order that rows come in. */
  sortBy: string | null;
  isDescending: boolean;
  pageIndex: number;
  pageSize: number;
}

/** What a table keeps in the link. */
export const tableParams = { ...sortParams, ...pageParams };
export const tableSearch = searchSchema(tableParams);
export type TableSearch = SearchOf<typeof tableSearch>;

/** The order that a table has while nobody chose another, and how many rows where it is not the usual number. */
export type DefaultSort = Pick<TableState, 'sortBy' | 'isDescending'> & { pageSize?: number };

const usualSize = ({ pageSize = DEFAULT_PAGE_SIZE }: DefaultSort) => pageSize;

/** The order and the page that a link names. */
export function tableState(
  { sortBy, sortOrder, pageIndex = 0, pageSize }: TableSearch,
  fallback: DefaultSort,
): TableState {
  return {
    ...(sortBy === undefined ? fallback : { sortBy, isDescending: sortOrder === 'desc' }),
    pageIndex,
    pageSize: pageSize !== undefined && ALL_PAGE_SIZES.includes(pageSize) ? pageSize : usualSize(fallback),
  };
}

/** What the link says of a table; undefined where it is as it starts. */
export function tableLink(state: TableState, fallback: DefaultSort): Required<TableSearch> {
  const { sortBy, isDescending, pageIndex, pageSize } = state;
  const isDefault = sortBy === null || (sortBy === fallback.sortBy && isDescending === fallback.isDescending);
  return {
    sortBy: isDefault ? undefined : sortBy,
    sortOrder: isDefault ? undefined : isDescending ? 'desc' : 'asc',
    pageIndex: pageIndex === 0 ? undefined : pageIndex,
    pageSize: pageSize === usualSize(fallback) ? undefined : pageSize,
  };
}

/** The next order when a column's head is pressed: ascending, descending, then the table's own. */
export function pressedSort(state: TableState, column: string, fallback: DefaultSort): TableState {
  const next = { ...state, pageIndex: 0 };
  if (state.sortBy !== column) return { ...next, sortBy: column, isDescending: false };
  if (!state.isDescending) return { ...next, isDescending: true };
  const { sortBy, isDescending } = fallback;
  return sortBy === column ? { ...next, isDescending: false } : { ...next, sortBy, isDescending };
}
