/**
 * A table's order and page: in the link, and remembered for as long as the tab lives (spec 1 §9), so that coming
 * back to a list finds it as it was left. A link that says anything wins over what is remembered.
 */
import { useCallback, useEffect, useMemo } from 'react';
import { useDevice } from '../Device.tsx';
import { useSearchState } from '../search/use-search-state.ts';
import { tableLink, tableSearch, tableState, type DefaultSort, type TableState } from './table-state.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

function remembered(text: string | null): object {
  const value = jsonOrNull(text);
  return typeof value === 'object' && value !== null ? value : {};
}

const isSaid = (search: object): boolean => Object.values(search).some((value) => value !== undefined);

/** See the head of this file. */
export function useTableState(
  name: string,
  defaultSort: DefaultSort,
): { state: TableState; setState: (state: TableState) => void } {
  const device = useDevice();
  const [search, change] = useSearchState(tableSearch);
  const key = `table:${name}`;
  const state = useMemo(() => tableState(search, defaultSort), [search, defaultSort]);
  const setState = useCallback(
    (next: TableState) => {
      const link = tableLink(next, defaultSort);
      device.writeTabSetting(key, JSON.stringify(link));
      change(link);
    },
    [device, key, change, defaultSort],
  );
  useEffect(() => {
    if (isSaid(search)) return;
    const kept = tableSearch.parse(remembered(device.readTabSetting(key)));
    if (isSaid(kept)) change(kept);
    // oxlint-disable-next-line react/exhaustive-deps -- only when the list is come back to
  }, [key]);
  return { state, setState };
}
