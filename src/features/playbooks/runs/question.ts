/** What the list of runs asks the server for (contract §7). */
import type { TableCondition } from '../../../contract/http/table-views.ts';
import { RUN_STATUS_FILTERS } from '../../../domain/playbook/run.ts';
import { boundsOf, parseRange, type ChosenRange } from '../../../domain/time/time-range.ts';
import type { DefaultSort, TableState } from '../../../ui/tables/table-state.ts';
import type { RunsSearch } from '../search-schemas.ts';

/** Spec 1 §9. */
const SEVEN_DAYS: ChosenRange = { kind: 'relative', range: 'now-7d' };
export const NEWEST_FIRST: DefaultSort = { sortBy: 'created_at', isDescending: true };

/** The chosen range; without one, the last seven days. */
export function rangeOf(search: RunsSearch): ChosenRange {
  return parseRange(search) ?? SEVEN_DAYS;
}

/** All must hold. */
export function conditionsOf(search: RunsSearch, nowMs: number): TableCondition[] {
  const { playbook, status } = search;
  const { after, before } = boundsOf(rangeOf(search), nowMs);
  return [
    ...(playbook === undefined ? [] : [{ op: 'eq' as const, column: 'playbook_id', value: playbook }]),
    ...(status === undefined
      ? []
      : [{ op: 'in' as const, column: 'status', values: [...RUN_STATUS_FILTERS[status]] }]),
    ...(after === null ? [] : [{ op: 'after' as const, column: 'created_at', moment: after }]),
    ...(before === null ? [] : [{ op: 'before' as const, column: 'created_at', moment: before }]),
  ];
}

/** A column of the table as what the data API orders by; a resource is one of three kinds. */
const ORDERED_BY: Readonly<Record<string, readonly string[]>> = {
  name: ['playbooks(title)'],
  resource: ['config(name)', 'component(name)', 'check(name)'],
  status: ['status'],
  start_time: ['start_time'],
  created_at: ['created_at'],
  created_by: ['created_by(name)'],
};

/** Runs that are alike in it stand with the newest first. */
export function orderOf({ sortBy, isDescending }: TableState): { column: string; isDescending: boolean }[] {
  const columns = ORDERED_BY[sortBy ?? ''];
  if (columns === undefined) return [{ column: 'created_at', isDescending: true }];
  const order = columns.map((column) => ({ column, isDescending }));
  return sortBy === 'created_at' ? order : [...order, { column: 'created_at', isDescending: true }];
}
