/** The page of incidents that the link asks for, answered by this device. */
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { LiveAnswer } from '../../../data/client/live-query-client.ts';
import { findAllRows, textOf } from '../../../data/queries/find-all.ts';
import { useComponentReach } from '../../../data/queries/topology/use-component-reach.ts';
import { useAskableIncidents } from '../../../data/queries/incidents/use-incident-list.ts';
import { useIncidentsWith } from '../../../data/queries/incidents/use-incidents-with.ts';
import type { ChosenThing } from '../../../ui/page/Bulk.tsx';
import { ALL } from '../search-schemas.ts';
import type { ListState } from '../url-state.ts';
import { incidentsQuestion } from './incidents-question.ts';
import { chosenOf } from './line-parts.tsx';

/** Incidents that have the component, or a part of it, for evidence: those that its card counts (spec 3 §7). */
function useIncidentsOf(component: string): { ids: readonly string[] | null; isLoaded: boolean } {
  const isAny = component === ALL;
  const reach = useComponentReach(isAny ? null : component);
  const found = useIncidentsWith(reach.isLoaded ? reach.componentIds : null);
  return isAny ? { ids: null, isLoaded: true } : found;
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
  const questionFor = (search: string) => incidentsQuestion(state, search, ids);
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
