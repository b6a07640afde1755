import type { TableCondition } from '../../../contract/http/table-question.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import type { TableState } from '../../../ui/tables/table-state.ts';

export const NEWEST_FIRST = { sortBy: 'created_at', isDescending: true };

/** One page of the job history. */
export function useJobs(where: TableCondition[], state: TableState) {
  const { sortBy, isDescending, pageIndex, pageSize } = state;
  return useTable({
    view: 'job_histories',
    where,
    order: [{ column: sortBy ?? NEWEST_FIRST.sortBy, isDescending }],
    offset: pageIndex * pageSize,
    limit: pageSize,
  });
}
