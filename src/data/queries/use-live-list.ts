import { useCallback, useState } from 'react';
import type { CollectionName } from '../../contract/collections.ts';
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
import type { LiveQuestion, LiveRow } from '../../contract/live-query.ts';
import type * as Contract from '../../contract/worker.ts';
import { useAskableLiveQuery } from './use-live-query.ts';

/** Not imported: that would bring the schemas' library into the page. */
const MAX_WINDOW_ROWS: typeof Contract.MAX_WINDOW_ROWS = 100;
/** The window moves in steps, so that not every scrolled row is a question. */
const STEP = 20;

/** A list of any length that is looked at through a window, as a virtual list needs it. */
export interface LiveList<Row> {
  /** False until the collection was read. */
  isLoaded: boolean;
  total: number;
  /** Null while that row is on its way. */
  rowAt: (index: number) => LiveRow<Row> | null;
  /** Tells which rows are on screen. */
  setRange: (start: number, end: number) => void;
}

/** The list of a page, with a window that follows what is on screen. Begins as it was last. */
export function useLiveList<Collection extends CollectionName>(
  question: Omit<LiveQuestion, 'window'> & { collection: Collection },
): LiveList<CollectionRow<Collection>> {
  const [start, setStart] = useState(0);
  const setRange = useCallback((first: number, last: number) => {
    const middle = Math.floor((first + last) / 2);
    setStart(Math.max(0, Math.floor((middle - MAX_WINDOW_ROWS / 2) / STEP) * STEP));
  }, []);
  const { answer } = useAskableLiveQuery({ ...question, window: { start, end: start + MAX_WINDOW_ROWS } });
  return {
    isLoaded: answer.isLoaded,
    total: answer.total,
    rowAt: (index) => answer.rows[index - answer.start] ?? null,
    setRange,
  };
}
