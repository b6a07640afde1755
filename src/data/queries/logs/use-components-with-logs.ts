import type { LiveQuestion } from '../../../contract/live-query.ts';
import { useLiveQuery } from '../use-live-query.ts';

/** As many as a page names. */
const MOST = 20;

type Conditions = LiveQuestion['where'];

function useWithLogs(where: Conditions, most: number) {
  const { isLoaded, total, rows } = useLiveQuery({
    collection: 'components',
    where: [...where, { field: 'logs', op: 'not', value: null }],
    search: '',
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: most },
  });
  return {
    isLoaded,
    total,
    components: rows.flatMap(({ id, row }) => (row.logs.length === 0 ? [] : [{ id, name: row.name ?? id }])),
  };
}

/** Components that say which logs are theirs, and to which a check or a catalog item belongs; as this device has them. */
export function useComponentsWithLogs(of: { checkId: string } | { configId: string }) {
  const belongs: Conditions[number] =
    'checkId' in of
      ? { field: 'check_ids', op: 'has', value: of.checkId }
      : { field: 'config_ids', op: 'has', value: of.configId };
  return useWithLogs([belongs], MOST).components;
}

/** The first of all components that say which logs are theirs, by name; as this device has them, how many there are, and whether it has them. */
export const useAllWithLogs = (most: number) => useWithLogs([], most);
