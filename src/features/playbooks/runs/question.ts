/** What the list of runs asks the server for (contract §7). */
import { RESOURCE_KINDS, type PlaybookResource } from '../../../contract/http/playbooks/playbooks.ts';
import type { TableCondition } from '../../../contract/http/table-question.ts';
import { RUN_STATUS_FILTERS } from '../../../domain/playbook/run-filters.ts';
import { boundsOf, parseRange, type ChosenRange } from '../../../domain/time/time-range.ts';
import type { DefaultSort, TableState } from '../../../ui/tables/table-state.ts';
import type { RunsSearch } from '../search-schemas.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

/** Spec 1 §9. */
const SEVEN_DAYS: ChosenRange = { kind: 'relative', range: 'now-7d' };
export const NEWEST_FIRST: DefaultSort = { sortBy: 'created_at', isDescending: true };

/** The chosen range; without one, the last seven days. */
export function rangeOf(search: RunsSearch): ChosenRange {
  return parseRange(search) ?? SEVEN_DAYS;
}

/** The one thing that the list is narrowed to. */
export function aboutOf(search: RunsSearch): PlaybookResource | null {
  for (const kind of RESOURCE_KINDS) {
    const id = search[kind];
    if (id !== undefined) return { kind, id };
  }
  return null;
}

/** All must hold. */
export function conditionsOf(search: RunsSearch, nowMs: number): TableCondition[] {
  const { playbook, status, agent } = search;
  const about = aboutOf(search);
  const { after, before } = boundsOf(rangeOf(search), nowMs);
  return [
    ...(playbook === undefined ? [] : [{ op: 'eq' as const, column: 'playbook_id', value: playbook }]),
    ...(about === null ? [] : [{ op: 'eq' as const, column: `${about.kind}_id`, value: about.id }]),
    ...(agent === undefined ? [] : [{ op: 'eq' as const, column: 'agent_id', value: agent }]),
    ...(status === undefined
      ? []
      : [{ op: 'in' as const, column: 'status', values: [...RUN_STATUS_FILTERS[status]] }]),
    // What was asked for long ago and began in that time is one of them.
    { op: 'within' as const, columns: ['start_time', 'created_at'], after, before },
  ];
}

/** A column of the table as what the data API orders by; a resource is one of three kinds. */
const ORDERED_BY = lookupTable<readonly string[]>({
  name: ['playbooks(title)'],
  resource: ['config(name)', 'component(name)', 'check(name)'],
  status: ['status'],
  start_time: ['start_time'],
  duration: ['duration_ms'],
  created_at: ['created_at'],
  created_by: ['created_by(name)'],
});

/** How long a run took is no column of its own: only what adds it can be ordered by it. */
export function viewOf({ sortBy }: TableState): 'playbook_runs' | 'playbook_runs_timed' {
  return sortBy === 'duration' ? 'playbook_runs_timed' : 'playbook_runs';
}

/** Runs that are alike in it stand with the newest first. */
export function orderOf({ sortBy, isDescending }: TableState): { column: string; isDescending: boolean }[] {
  const columns = ORDERED_BY[sortBy ?? ''];
  if (columns === undefined) return [{ column: 'created_at', isDescending: true }];
  const order = columns.map((column) => ({ column, isDescending }));
  return sortBy === 'created_at' ? order : [...order, { column: 'created_at', isDescending: true }];
}
