/** The cards' state as the link says it, with the order that this device remembers; what is typed is asked for at once. */
import { useCallback, useMemo, useState } from 'react';
import { useDevice } from '../../ui/Device.tsx';
import { useAskedText } from '../../ui/hooks/use-search-text.ts';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { componentSearch } from './search-schemas.ts';
import { readSort, writeSort } from './sort-preferences.ts';
import { componentHref, topologyLink, topologyState, type TopologyState } from './url-state.ts';

export type UpdateTopology = (change: Partial<TopologyState>) => void;

/** `rootId` is the component whose page this is; null at the top. `update` answers the next state. */
export function useTopologyState(rootId: string | null) {
  const device = useDevice();
  const [linkedSearch, change] = useSearchState(componentSearch);
  const [remembered, setRemembered] = useState(() => readSort(device));
  const state = useMemo(() => topologyState(linkedSearch, remembered), [linkedSearch, remembered]);
  const link = useCallback((search: string) => change({ search }), [change]);
  const { readText, seed, seedId, setText, clear } = useAskedText(state.search, link);
  const update = useCallback(
    (part: Partial<TopologyState>): TopologyState => {
      const next = { ...state, search: readText(), ...part };
      if (part.sortBy !== undefined || part.isDescending !== undefined) {
        writeSort(device, next);
        setRemembered({ sortBy: next.sortBy, isDescending: next.isDescending });
      }
      change(topologyLink(next));
      return next;
    },
    [device, state, readText, change],
  );
  const hrefOf = useCallback(
    (id: string) => componentHref(id, { search: linkedSearch, from: rootId }),
    [linkedSearch, rootId],
  );
  return { state, update, hrefOf, text: { readText, seed, seedId, setText, clear } };
}
