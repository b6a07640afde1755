/** The page of incidents that the link asks for, answered by this device. */
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { Condition, LiveQuestion } from '../../../contract/live-query.ts';
import type { LiveAnswer } from '../../../data/client/live-query-client.ts';
import { findAllRows, textOf } from '../../../data/queries/find-all.ts';
import { useComponentReach } from '../../../data/queries/topology/use-component-reach.ts';
import { useAskableIncidents } from '../../../data/queries/incidents/use-incident-list.ts';
import { useIncidentsWith } from '../../../data/queries/incidents/use-incidents-with.ts';
import type { ChosenThing } from '../../../ui/page/Bulk.tsx';
import { ALL } from '../search-schemas.ts';
import type { ListState, Sort } from '../url-state.ts';
import { PAGE_ROWS } from '../use-records.ts';
import { chosenOf } from './line-parts.tsx';

const NEWEST = { field: 'created_at', isDescending: true } as const;
const ORDERS: Readonly<Record<Sort, LiveQuestion['sort']>> = {
  newest: [NEWEST],
  oldest: [{ field: 'created_at', isDescending: false }],
  severity: [{ field: 'severity', isDescending: true }, NEWEST],
  updated: [{ field: 'updated_at', isDescending: true }],
};

/** Incidents that have the component, or a part of it, for evidence: those that its card counts (spec 3 §7). */
function useIncidentsOf(component: string): { ids: readonly string[] | null; isLoaded: boolean } {
  const isAny = component === ALL;
  const reach = useComponentReach(isAny ? null : component);
  const found = useIncidentsWith(reach.isLoaded ? reach.componentIds : null);
  return isAny ? { ids: null, isLoaded: true } : found;
}

function conditions(state: ListState, withComponent: readonly string[] | null): Condition[] {
  const equal = [
    ['type', state.type],
    ['severity', state.severity],
    ['status', state.status],
    ['created_by', state.owner],
  ] as const;
  return [
    ...equal.flatMap(([field, value]) => (value === ALL ? [] : [{ field, op: 'eq' as const, value }])),
    ...(withComponent === null ? [] : [{ field: 'id', op: 'in' as const, values: [...withComponent] }]),
  ];
}

/** `text` is what is typed, which the link learns a moment later; `ask` searches before anything is drawn. */
export function useIncidentList(
  state: ListState,
  text: string,
): {
  answer: LiveAnswer<IncidentRow>;
  ask: (text: string) => void;
  /** Every incident that passes, on this page or not. */
  findAll: () => Promise<readonly ChosenThing[] | null>;
} {
  const { ids, isLoaded } = useIncidentsOf(state.component);
  const questionFor = (search: string) => ({
    where: conditions(state, ids),
    search,
    sort: ORDERS[state.sort],
    groupBy: null,
    window: { start: state.start, end: state.start + PAGE_ROWS },
  });
  const { answer, ask } = useAskableIncidents(questionFor(text));
  return {
    // None of the component's is known yet is not: none has it.
    answer: isLoaded ? answer : { ...answer, isLoaded },
    ask: (search) => ask(questionFor(search)),
    async findAll() {
      const fields = ['incident_id', 'title', 'status'] as const;
      const found = await findAllRows({ ...questionFor(text), collection: 'incidents' }, fields);
      if (found === null) return null;
      return found.map((row) => {
        const [incident_id, title, status] = fields.map((field) => textOf(row, field));
        return chosenOf({
          id: row.id,
          incident_id: incident_id ?? '',
          title: title ?? '',
          status: status ?? '',
        });
      });
    },
  };
}
