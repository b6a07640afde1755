/** What the page looks at: from the link, and what of it the server is asked for. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useComponent } from '../../data/queries/topology/use-component.ts';
import { useAllWithLogs } from '../../data/queries/logs/use-components-with-logs.ts';
import { useLog, type LogViewState } from '../../data/queries/logs/use-log.ts';
import type { LogQuestion } from '../../data/queries/logs/log-reader.ts';
import { useTable } from '../../data/queries/use-table.ts';
import type { TimeRange } from '../../domain/time/ranges.ts';
import type { LogsSearch } from './search-schema.ts';

export const DEFAULT_START: TimeRange = '1h';
/** As many as a live query answers. */
export const MOST_OF_DEVICE = 100;

/**
 * Components that have logs, the chosen one among them even if it has none: all that the server lists; the first that
 * this device has where it was never told, as on a first visit without a server.
 */
export function useComponents(componentId: string | null) {
  const { kept, error } = useTable({
    view: 'log_components',
    order: [{ column: 'name', isDescending: false }],
  });
  const { component, isLoaded } = useComponent(componentId ?? '');
  const onDevice = useAllWithLogs(kept === null ? MOST_OF_DEVICE : 0);
  const listed = kept?.value.rows.map(({ id, name }) => ({ id, name: name ?? id })) ?? onDevice.components;
  const hasNoList = kept === null && error !== null;
  const isListed = componentId === null || listed.some(({ id }) => id === componentId);
  const own = component === null || isListed ? [] : [{ id: component.id, name: component.name }];
  return {
    components: [...own, ...listed],
    component,
    /** Neither this device nor the server's list has it. */
    isGone: isLoaded && component === null && kept !== null && !isListed,
    /** How many this device has of which only the first are offered; null where all are. */
    cutFrom: hasNoList && onDevice.total > MOST_OF_DEVICE ? onDevice.total : null,
    hasFailed: hasNoList && !onDevice.isLoaded,
  };
}

/**
 * The log of what is chosen. The text is looked for among the lines that are held; the server is asked for it only
 * where it has lines that are not: else every key would be a question.
 */
export function useChosenLog(search: LogsSearch) {
  const { topologyId = null, logsSelector = '', start = DEFAULT_START, query: text = '' } = search;
  const [turn, setTurn] = useState(0);
  const base = JSON.stringify([topologyId, logsSelector, start, turn]);
  const [cut, setCut] = useState<string | null>(null);
  const query = cut === base ? text.trim().slice(0, 1000) : '';
  const question: LogQuestion | null =
    topologyId === null ? null : { componentId: topologyId, name: logsSelector, query, start, end: '' };
  const log = useLog(question, turn);
  // Once all of it is here, no text is asked of the server.
  const found = log.load?.hasMore === true ? base : null;
  if (query === '' && log.load?.isSettled === true && found !== cut) setCut(found);
  const readAgain = useCallback(() => setTurn((before) => before + 1), []);
  return { ...log, question, readAgain };
}

interface Horizon {
  frame: LogViewState['frame'];
  isLive: boolean;
  /** The newest line that is shown; null for all. */
  held: number | null;
  setHeld: (seq: number | null) => void;
}

/** Holds newer lines back while somebody reads further down: what is read stays where it is. */
export function useHorizon({ frame, isLive, held, setHeld }: Horizon) {
  const isAtTop = useRef(true);
  const hold = () => {
    if (!isAtTop.current && isLive && held === null) setHeld(frame.newestSeq);
  };
  const latest = useRef(hold);
  useEffect(() => {
    latest.current = hold;
  });
  const onTop = useCallback((isNow: boolean) => {
    isAtTop.current = isNow;
    latest.current();
  }, []);
  return { hold, onTop };
}
