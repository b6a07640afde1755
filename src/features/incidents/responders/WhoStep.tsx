import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Avatar } from '../../../ui/marks/Avatar.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { messages as words } from './messages.ts';
import classes from './responders.module.css';
import { nameOf, useResources, type ResourceRow } from './use-resources.ts';

interface WhoStepProps {
  /** Who responds already. */
  present: ReadonlySet<string>;
  onTeam: (team: ResourceRow) => void;
  onPerson: (person: ResourceRow) => void;
}

function Who({ row, kind }: { row: ResourceRow; kind: 'team' | 'person' }) {
  const name = nameOf(row, row.id);
  return (
    <>
      {kind === 'team' ? (
        <span className={classes.team}>
          <IconUsers size={14} aria-hidden />
        </span>
      ) : (
        <span aria-hidden="true">
          <Avatar name={name} image={typeof row['avatar'] === 'string' ? row['avatar'] : null} />
        </span>
      )}
      {name}
    </>
  );
}

/** Select Responder: a team or a person (spec 3 §4). */
export function WhoStep({ present, onTeam, onPerson }: WhoStepProps) {
  const [search, setSearch] = useState('');
  const lists = { team: useResources('team', search), person: useResources('person', search) };
  const open = (kind: 'team' | 'person') => lists[kind].rows.filter(({ id }) => !present.has(id));
  const [teams, people] = [open('team'), open('person')];
  const choices = (kind: 'team' | 'person', onChoose: (row: ResourceRow) => void) => (
    <>
      <h3>{kind === 'team' ? words.teams : words.people}</h3>
      <ul>
        {open(kind).map(({ id, row }) => (
          <li key={id}>
            <button type="button" className={classes.choice} onClick={() => onChoose(row)}>
              <Who row={row} kind={kind} />
            </button>
          </li>
        ))}
      </ul>
      {lists[kind].total > lists[kind].rows.length && <p className={classes.hint}>{words.moreMatch}</p>}
    </>
  );
  return (
    <div className={classes.step}>
      <SearchBox
        label={words.searchResponder}
        placeholder={words.searchResponder}
        clearLabel={words.clearSearch}
        seed=""
        seedId={0}
        onChange={setSearch}
      />
      {teams.length === 0 && people.length === 0 && <p role="status">{words.noMatch}</p>}
      {teams.length > 0 && choices('team', onTeam)}
      {teams.length > 0 && people.length > 0 && <p className={classes.or}>{words.or}</p>}
      {people.length > 0 && choices('person', onPerson)}
    </div>
  );
}
