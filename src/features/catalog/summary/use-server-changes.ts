import { useCallback, useMemo } from 'react';
import type { CatalogGroupRow } from '../../../contract/catalog-view.ts';
import type { CatalogSummaryQuestion } from '../../../contract/http/catalog/catalog-summary.ts';
import type { Cached } from '../../../contract/worker.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { changesByGroup, pathKey } from './server-changes.ts';

/** The changes that are kept here, and those that the server is asked for (spec 2 §9). */
const LOCAL_DAYS = 7;
const SERVER_DAYS = 30;

export interface ServerChanges {
  changesOf: (row: CatalogGroupRow) => { count: number; days: number };
  /** Where the 30 days come from; null while they are this device's seven. */
  kept: Pick<Cached<unknown>, 'asOfMs' | 'source'> | null;
}

/** 30-day changes of the summary's groups where the server said them, else the seven days of this device. */
export function useServerChanges(
  question: CatalogSummaryQuestion | null,
  groupBy: readonly string[],
): ServerChanges {
  const { kept } = useQuery('catalog-summary', question);
  const groups = groupBy.join('\n');
  const sums = useMemo(
    () => (kept === null ? null : changesByGroup(kept.value, groups.split('\n'))),
    [kept, groups],
  );
  const changesOf = useCallback(
    (row: CatalogGroupRow) =>
      sums === null
        ? { count: row.changes, days: LOCAL_DAYS }
        : { count: sums.get(pathKey(row)) ?? 0, days: SERVER_DAYS },
    [sums],
  );
  return { changesOf, kept };
}
