/** What the incident list's link asks for, as the worker's question; the page and the document begin with the same one. */
import type { ServedQuestion } from '../../../contract/http/first-visit.ts';
import type { Condition, IncidentsQuestion, LiveQuestion } from '../../../contract/live-query.ts';
import { PAGE_ROWS } from '../page-rows.ts';
import { ALL, listSearch } from '../search-schemas.ts';
import { listState, type ListState, type Sort } from '../url-state.ts';

const NEWEST = { field: 'created_at', isDescending: true } as const;
const ORDERS: Readonly<Record<Sort, LiveQuestion['sort']>> = {
  newest: [NEWEST],
  oldest: [{ field: 'created_at', isDescending: false }],
  severity: [{ field: 'severity', isDescending: true }, NEWEST],
  updated: [{ field: 'updated_at', isDescending: true }],
};

function conditions(state: ListState, ids: readonly string[] | null): Condition[] {
  const equal = [
    ['type', state.type],
    ['severity', state.severity],
    ['status', state.status],
    ['created_by', state.owner],
  ] as const;
  return [
    ...equal.flatMap(([field, value]) => (value === ALL ? [] : [{ field, op: 'eq' as const, value }])),
    ...(ids === null ? [] : [{ field: 'id', op: 'in' as const, values: [...ids] }]),
  ];
}

/** `ids` are the incidents that have the link's component; null where it names none. */
export function incidentsQuestion(
  state: ListState,
  search: string,
  ids: readonly string[] | null,
): IncidentsQuestion {
  return {
    where: conditions(state, ids),
    search,
    sort: ORDERS[state.sort],
    groupBy: null,
    window: { start: state.start, end: state.start + PAGE_ROWS },
  };
}

/** What the page asks first, told from its address, which begins with the question mark; null where only a device can. */
export function firstIncidentsQuestion(search: string): ServedQuestion | null {
  const state = listState(listSearch.parse(Object.fromEntries(new URLSearchParams(search))));
  if (state.component !== ALL) return null;
  return { name: 'live-incidents', args: incidentsQuestion(state, state.search, null) };
}
