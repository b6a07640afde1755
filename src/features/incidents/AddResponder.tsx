import { useState } from 'react';
import type { LiveRow } from '../../contract/live-query.ts';
import { useLiveQuery } from '../../data/use-live-query.ts';
import { useDevice } from '../../ui/Device.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { PAGE_ROWS } from './use-records.ts';

const words = messages.details;
type ResourceRow = { id: string; name?: unknown };

function useResources(kind: 'team' | 'person', search: string): readonly LiveRow<ResourceRow>[] {
  return useLiveQuery<ResourceRow>({
    collection: 'resources',
    where: [{ field: 'kind', op: 'eq', value: kind }],
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  }).rows;
}

interface AddResponderProps {
  /** Who responds already. */
  present: ReadonlySet<string>;
  onClose: () => void;
}

/** A team or a person, added at once (spec 3 §4 'Add directly'). */
export function AddResponder({ present, onClose }: AddResponderProps) {
  const { incidentId, send } = useIncident();
  const device = useDevice();
  const [search, setSearch] = useState('');
  const teams = useResources('team', search).filter(({ id }) => !present.has(id));
  const people = useResources('person', search).filter(({ id }) => !present.has(id));
  const add = async (who: { personId: string } | { teamId: string }) => {
    const args = { id: device.newId(), incidentId, type: 'person' as const, ...who };
    if (await send({ name: 'add_responder', args })) onClose();
  };
  const choices = (rows: readonly LiveRow<ResourceRow>[], act: (id: string) => void) => (
    <ul>
      {rows.map(({ id, row }) => (
        <li key={id}>
          <button type="button" className={classes.choice} onClick={() => act(id)}>
            {typeof row.name === 'string' ? row.name : id}
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <Sheet label={words.selectResponder} side="center" hasTitle onClose={onClose}>
      <div className={classes.dialog}>
        <SearchBox
          label={words.searchResponder}
          placeholder={words.searchResponder}
          clearLabel={words.clearSearch}
          seed=""
          seedId={0}
          onChange={setSearch}
        />
        {teams.length === 0 && people.length === 0 && <p>{words.noMatch}</p>}
        {teams.length > 0 && <h3>{words.teams}</h3>}
        {choices(teams, (teamId) => void add({ teamId }))}
        {teams.length > 0 && people.length > 0 && <p className={classes.or}>{words.or}</p>}
        {people.length > 0 && <h3>{words.people}</h3>}
        {choices(people, (personId) => void add({ personId }))}
      </div>
    </Sheet>
  );
}
