/** The cards' state as the link says it, with the order that this device remembers; what is typed is asked for at once. */
import { useCallback, useMemo, useState } from 'react';
import { useDevice } from '../../ui/Device.tsx';
import { useAskedText } from '../../ui/hooks/use-search-text.ts';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { componentSearch } from './search-schemas.ts';
import { readSort, writeSort } from './sort-preferences.ts';
import { componentHref, topologyLink, topologyState, type TopologyState } from './url-state.ts';

export type UpdateTopology = (change: Partial<TopologyState>) => void;

/**
 * `rootId` is the component whose page this is; null at the top. `update` answers the next state; `linkOf` says where
 * components are shown, else on their pages.
 */
export function useTopologyState(rootId: string | null, linkOf?: (id: string) => string) {
  const device = useDevice();
  const [linkedSearch, change] = useSearchState(componentSearch);
  const [remembered, setRemembered] = useState(() => readSort(device));
  const state = useMemo(() => topologyState(linkedSearch, remembered), [linkedSearch, remembered]);
  const link = useCallback((search: string) => change({ search }), [change]);
  const { readText, seed, seedId, setText, clear } = useAskedText(state.search, link);
  const update = useCallback(
    (part: Partial<TopologyState>): TopologyState => {
      const next = { ...state, search: readText(), ...part };
      const isOrdered = part.sortBy !== undefined || part.isDescending !== undefined;
      const order = isOrdered ? { sortBy: next.sortBy, isDescending: next.isDescending } : remembered;
      if (isOrdered) {
        writeSort(device, order);
        setRemembered(order);
      }
      change(topologyLink(next, order));
      return next;
    },
    [device, state, remembered, readText, change],
  );
  const hrefOf = useCallback(
    (id: string) =>
      componentHref(id, {
        search: linkedSearch,
        from: rootId,
        ...(linkOf === undefined ? {} : { linkOf }),
      }),
    [linkedSearch, rootId, linkOf],
  );
  return { state, update, hrefOf, text: { readText, seed, seedId, setText, clear } };
}
