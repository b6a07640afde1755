import { useCallback, useState } from 'react';
import type { LogQuery } from '../../contract/logs/log-view.ts';

/** What of the lines is shown besides what is searched for. */
export type Narrowing = Pick<LogQuery, 'levels' | 'between' | 'groupBy' | 'group'>;

const ALL: Narrowing = { levels: [], between: null, groupBy: null, group: null };

/** It lasts as long as the page of one log. */
export function useNarrowing() {
  const [narrowing, setNarrowing] = useState(ALL);
  const narrow = useCallback(
    (part: Partial<Narrowing>) => setNarrowing((before) => ({ ...before, ...part })),
    [],
  );
  return { narrowing, narrow };
}
