import { useMemo } from 'react';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { PAGE_ROWS } from './page-rows.ts';

/** Names of people and teams by id, as far as they are known here. */
export function useNames(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids.filter((id) => id !== null))].toSorted().slice(0, PAGE_ROWS);
  const { rows } = useLiveQuery({
    collection: 'resources',
    where: [{ field: 'id', op: 'in', values: wanted }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  });
  return useMemo(
    () => new Map(rows.flatMap(({ id, row }) => (typeof row.name === 'string' ? [[id, row.name]] : []))),
    [rows],
  );
}
