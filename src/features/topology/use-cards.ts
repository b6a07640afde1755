/** The cards of one level: their state, what the worker answers, and how both are changed. */
import { useCallback, useMemo, useState } from 'react';
import { useTopologyView } from '../../data/queries/topology/use-topology.ts';
import { useDevice } from '../../ui/Device.tsx';
import { readCardWidth, writeCardWidth } from './card-size.ts';
import { topologyQueryOf } from './url-state.ts';
import { useTopologyState, type UpdateTopology } from './use-topology-state.ts';

/** `rootId` is the component whose parts are shown; null for the top. */
export function useCards(rootId: string | null, linkOf?: (id: string) => string) {
  const device = useDevice();
  const { state, update, hrefOf, text } = useTopologyState(rootId, linkOf);
  const { readText, seed, seedId, setText, clear } = text;
  // What is typed is asked for where it is typed: a key draws nothing of the page, the answer does.
  const query = topologyQueryOf({ ...state, search: readText() }, rootId);
  const view = useTopologyView(query);
  const [width, setWidth] = useState(() => readCardWidth(device));
  const { ask } = view;
  const handleText = useCallback(
    (search: string) => {
      ask(topologyQueryOf({ ...state, search }, rootId));
      setText(search);
    },
    [ask, state, rootId, setText],
  );
  const change: UpdateTopology = useCallback(
    (part) => ask(topologyQueryOf(update(part), rootId)),
    [ask, update, rootId],
  );
  const handleWidth = useCallback(
    (next: number) => {
      writeCardWidth(device, next);
      setWidth(next);
    },
    [device],
  );
  const search = useMemo(() => ({ seed, seedId, setText: handleText }), [seed, seedId, handleText]);
  return { state, change, hrefOf, query, view, width, setWidth: handleWidth, search, clear };
}
