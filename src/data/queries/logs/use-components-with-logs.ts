import type { LiveQuestion } from '../../../contract/live-query.ts';
import { useLiveQuery } from '../use-live-query.ts';

/** As many as a page names. */
const MOST = 20;

/** Components that say which logs are theirs, and to which a check or a catalog item belongs; as this device has them. */
export function useComponentsWithLogs(of: { checkId: string } | { configId: string }) {
  const belongs: LiveQuestion['where'][number] =
    'checkId' in of
      ? { field: 'check_ids', op: 'has', value: of.checkId }
      : { field: 'config_ids', op: 'has', value: of.configId };
  const { rows } = useLiveQuery({
    collection: 'components',
    where: [belongs, { field: 'logs', op: 'not', value: null }],
    search: '',
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: MOST },
  });
  return rows.flatMap(({ id, row }) => (row.logs.length === 0 ? [] : [{ id, name: row.name ?? id }]));
}
