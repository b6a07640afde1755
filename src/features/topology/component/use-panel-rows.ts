/** What the panels list, from this device's rows (spec 2 §2). */
import type { CollectionName } from '../../../contract/collections.ts';
import type { LiveQuestion } from '../../../contract/live-query.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { PANEL_ROWS } from './panels.ts';

interface RowsOptions {
  /** Descending by this column; else by name. */
  newestBy?: string;
  /** None for a number alone. */
  rows?: number;
  /** From 0. */
  page?: number;
}

/** Rows of a collection that pass, at most a panel's. */
export function usePanelRows<Collection extends CollectionName>(
  collection: Collection,
  where: LiveQuestion['where'],
  { newestBy, rows = PANEL_ROWS, page = 0 }: RowsOptions = {},
) {
  return useLiveQuery({
    collection,
    where,
    search: '',
    sort: [
      newestBy === undefined
        ? { field: 'name', isDescending: false }
        : { field: newestBy, isDescending: true },
    ],
    groupBy: null,
    window: { start: page * rows, end: (page + 1) * rows },
  });
}

/** Rows about one of these things. */
export function isOneOf(field: string, ids: readonly string[]): LiveQuestion['where'] {
  return [{ field, op: 'in', values: [...ids] }];
}
