/** The cards' state as the link says it, with the order that this device remembers, and the text as it is typed. */
import { useCallback, useMemo, useState } from 'react';
import { useDevice } from '../../ui/Device.tsx';
import { useSearchText } from '../../ui/hooks/use-search-text.ts';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { componentSearch } from './search-schemas.ts';
import { readSort, writeSort } from './sort-preferences.ts';
import { componentHref, topologyLink, topologyState, type TopologyState } from './url-state.ts';

export type UpdateTopology = (change: Partial<TopologyState>) => void;

/** `rootId` is the component whose page this is; null at the top. */
export function useTopologyState(rootId: string | null) {
  const device = useDevice();
  const [linkedSearch, change] = useSearchState(componentSearch);
  const [remembered, setRemembered] = useState(() => readSort(device));
  const linked = useMemo(() => topologyState(linkedSearch, remembered), [linkedSearch, remembered]);
  const link = useCallback((search: string) => change({ search }), [change]);
  const { text, seed, seedId, setText, clear } = useSearchText(linked.search, link);
  const state = useMemo(() => ({ ...linked, search: text }), [linked, text]);
  const update: UpdateTopology = useCallback(
    (part) => {
      const next = { ...state, ...part };
      if (part.sortBy !== undefined || part.isDescending !== undefined) {
        writeSort(device, next);
        setRemembered({ sortBy: next.sortBy, isDescending: next.isDescending });
      }
      change(topologyLink(next));
    },
    [device, state, change],
  );
  const hrefOf = useCallback(
    (id: string) => componentHref(id, { search: linkedSearch, from: rootId }),
    [linkedSearch, rootId],
  );
  return { state, update, hrefOf, box: { seed, seedId, setText, clear } };
}
