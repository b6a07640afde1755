import { useLiveQuery } from './use-live-query.ts';

const MAX_NAMES = 100;

/** Names of agents by their ids, as this device has them; one that it does not know stands with its id. */
export function useAgentNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { rows } = useLiveQuery({
    collection: 'resources',
    where: [{ field: 'id', op: 'in', values: [...ids] }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: MAX_NAMES },
  });
  const names = new Map(rows.map(({ id, row }) => [id, row.name ?? id]));
  return new Map(ids.map((id) => [id, names.get(id) ?? id]));
}
