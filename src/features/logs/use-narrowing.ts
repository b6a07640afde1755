import { useCallback, useState } from 'react';
import type { LogQuery } from '../../contract/logs/log-view.ts';

/** What of the lines is shown besides what is searched for. */
export type Narrowing = Pick<LogQuery, 'levels' | 'between' | 'groupBy' | 'group'>;

/** The same function for as long as the page is there. */
export type Narrow = (part: Partial<Narrowing>) => void;

const ALL: Narrowing = { levels: [], between: null, groupBy: null, group: null };

/** It lasts as long as the page of one log. */
export function useNarrowing() {
  const [narrowing, setNarrowing] = useState(ALL);
  const narrow: Narrow = useCallback((part) => setNarrowing((before) => ({ ...before, ...part })), []);
  return { narrowing, narrow };
}
