/**
 * Order and page of a table as its query string (contract §19.11): `sortBy`, `sortOrder`, `pageIndex` (from 0) and
 * `pageSize`. Invariants: what is parsed and written again is the same; an unknown value is as good as absent;
 * defaults are not written.
 */
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

export type TableSearch = Partial<Record<'sortBy' | 'sortOrder' | 'pageIndex' | 'pageSize', string>>;

/** The order that a table has while nobody chose another. */
export type DefaultSort = Pick<TableState, 'sortBy' | 'isDescending'>;

function wholeNumber(text: unknown): number | null {
  const value = typeof text === 'string' && text !== '' ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export function parseTableSearch(
  search: Readonly<Record<string, unknown>>,
  fallback: DefaultSort,
): TableState {
  const size = wholeNumber(search['pageSize']);
  const sortBy = typeof search['sortBy'] === 'string' && search['sortBy'] !== '' ? search['sortBy'] : null;
  return {
    ...(sortBy === null ? fallback : { sortBy, isDescending: search['sortOrder'] === 'desc' }),
    pageIndex: wholeNumber(search['pageIndex']) ?? 0,
    pageSize: size !== null && ALL_PAGE_SIZES.includes(size) ? size : DEFAULT_PAGE_SIZE,
  };
}

export function writeTableSearch(state: TableState, fallback: DefaultSort): TableSearch {
  const { sortBy, isDescending, pageIndex, pageSize } = state;
  const isDefault = sortBy === null || (sortBy === fallback.sortBy && isDescending === fallback.isDescending);
  return {
    ...(isDefault ? {} : { sortBy, sortOrder: isDescending ? 'desc' : 'asc' }),
    ...(pageIndex === 0 ? {} : { pageIndex: String(pageIndex) }),
    ...(pageSize === DEFAULT_PAGE_SIZE ? {} : { pageSize: String(pageSize) }),
  };
}

/** The next order when a column's head is pressed: ascending, descending, then the table's own. */
export function pressedSort(state: TableState, column: string, fallback: DefaultSort): TableState {
  const next = { ...state, pageIndex: 0 };
  if (state.sortBy !== column) return { ...next, sortBy: column, isDescending: false };
  if (!state.isDescending) return { ...next, isDescending: true };
  return fallback.sortBy === column ? { ...next, isDescending: false } : { ...next, ...fallback };
}
