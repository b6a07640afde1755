/**
 * A table's order and page: in the link, and remembered for as long as the tab lives (spec 1 §9), so that coming
 * back to a list finds it as it was left. A link that says anything wins over what is remembered.
 */
import { useCallback, useEffect, useMemo } from 'react';
import { useDevice } from '../Device.tsx';
import {
  parseTableSearch,
  writeTableSearch,
  type DefaultSort,
  type TableSearch,
  type TableState,
} from './table-state.ts';

export type Search = Readonly<Record<string, string>>;

export interface SearchProps {
  /** The page's query string. */
  search: Search;
  onSearch: (search: Search, isReplacing: boolean) => void;
}

const KEYS: readonly (keyof TableSearch)[] = ['sortBy', 'sortOrder', 'pageIndex', 'pageSize'];

/** The query string without the table's part. */
function others(search: Search): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([key]) => !KEYS.some((own) => own === key)));
}

function isTableState(value: unknown): value is TableSearch {
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((v) => typeof v === 'string')
  );
}

function remembered(text: string | null): TableSearch {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isTableState(value) ? value : {};
  } catch {
    // Written by something else: as good as nothing.
    return {};
  }
}

export function useTableState(
  name: string,
  { search, onSearch }: SearchProps,
  defaultSort: DefaultSort,
): { state: TableState; setState: (state: TableState) => void } {
  const device = useDevice();
  const key = `table:${name}`;
  const state = useMemo(() => parseTableSearch(search, defaultSort), [search, defaultSort]);
  const setState = useCallback(
    (next: TableState) => {
      const own = writeTableSearch(next, defaultSort);
      device.writeTabSetting(key, JSON.stringify(own));
      onSearch({ ...others(search), ...own }, true);
    },
    [device, key, search, onSearch, defaultSort],
  );
  useEffect(() => {
    if (KEYS.some((own) => own in search)) return;
    const kept = remembered(device.readTabSetting(key));
    if (Object.keys(kept).length > 0) onSearch({ ...search, ...kept }, true);
    // oxlint-disable-next-line react/exhaustive-deps -- only when the list is come back to
  }, [key]);
  return { state, setState };
}
